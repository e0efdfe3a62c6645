/**
 * Finds what is known of a schedule, from its runs and its plan. What is found only for some reasons
 * is found when it is asked for.
 */
import type { ReportRun } from "../../types.ts";
import { checkRuns } from "../findings.ts";
import { measureDurations } from "../durations.ts";
import { healthOf } from "../health.ts";
import { type Occurrences, occurrencesOf, runsInTime, type TimedRuns } from "../occurrences.ts";
import type { Plan } from "../plans/plan.ts";
import { newcomersIn } from "../newcomers.ts";
import { meaningOf, type StatusDictionary } from "../status.ts";
import { newestFirst } from "../times.ts";
import { trendOf } from "../trends.ts";
import { excusedBy } from "./excused.ts";
import { type Facts, openRuns } from "./facts.ts";
import { judgedPlan } from "./judged_plan.ts";
import { followConfirmed, type FollowedPlan, judgeSlots, type Pause } from "./slots.ts";

/** Runs to judge, in time. */
export interface KnownRuns extends TimedRuns<ReportRun> {
  /** All of them, the newest first, each id once, and those whose id had come before. */
  readonly runs: readonly ReportRun[];
  readonly repeated: readonly ReportRun[];
  /** Whether newer ones may be unread. */
  readonly newerUnread: boolean;
}

/** Puts the runs of a history in time. */
export function knownRuns(
  { runs, newerUnread = false }: {
    readonly runs: readonly ReportRun[];
    readonly newerUnread?: boolean;
  },
  now: number,
): KnownRuns {
  const { runs: single, repeated } = byId(runs);
  const inOrder = newestFirst(single);
  return { ...runsInTime(inOrder, now), runs: inOrder, repeated, newerUnread };
}

/** What was started, and when, in order. */
export interface Started {
  readonly occurrences: Occurrences<ReportRun>;
  readonly times: Float64Array;
}

/** Finds out what was started: plans are inferred from when that was. */
export function startedOf(
  { timed }: Pick<KnownRuns, "timed">,
  statuses: StatusDictionary,
): Started {
  const occurrences = occurrencesOf(timed, statuses);
  return { occurrences, times: Float64Array.from(occurrences.planned, ({ time }) => time) };
}

/**
 * Finds the facts. The inferred plans are those that were followed; they count where no plan is
 * confirmed.
 */
export function factsOf(
  { runs, repeated, timed, impossible, newerUnread }: KnownRuns,
  { occurrences, times }: Started,
  { now, statuses, plan, pauses }: {
    readonly now: number;
    readonly statuses: StatusDictionary;
    readonly plan?: Plan;
    readonly pauses?: readonly Pause[];
  },
  inferred: readonly FollowedPlan[],
): Facts {
  const followed = plan ? followConfirmed(plan, times) : inferred;
  const judged = judgeSlots(occurrences, followed, now, excusedBy(impossible, timed), pauses);
  const present = followed.at(-1)?.plan ?? null;
  const schedule = present &&
    judgedPlan(present, plan ? "confirmed" : "inferred", judged, {
      runCount: times.length,
      newerUnread,
    });
  const possible = impossible.length === 0 ? runs : runs.filter((run) => !impossible.includes(run));
  // A failed run has no size to speak of.
  const sized = once(() => possible.filter(({ status }) => meaningOf(status, statuses) !== "bad"));
  const lazy = {
    durations: once(() => measureDurations(possible, statuses)),
    attachmentSize: once(() => trendOf(sized(), (run) => run.attachmentSize)),
    emailSize: once(() => trendOf(sized(), (run) => run.emailSize)),
    recipients: once(() =>
      trendOf(possible, (run) => run.recipientCount ?? run.recipients?.length)
    ),
    findings: once(() => checkRuns([...possible, ...repeated], { dictionary: statuses, now })),
  };
  return {
    now,
    statuses,
    newerUnread,
    isConfirmed: plan !== undefined,
    runCount: runs.length,
    runs,
    repeated,
    timed,
    open: openRuns(timed, statuses),
    impossible,
    occurrences,
    judged,
    schedule,
    health: healthOf(possible, timed.map(({ run }) => run).reverse(), statuses),
    newcomers: newcomersIn(possible, statuses),
    get durations() {
      return lazy.durations();
    },
    get attachmentSize() {
      return lazy.attachmentSize();
    },
    get emailSize() {
      return lazy.emailSize();
    },
    get recipients() {
      return lazy.recipients();
    },
    get findings() {
      return lazy.findings();
    },
  };
}

/** What a function gives, which is called once at most. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}

/** The first run of each id, and those whose id had come before. */
function byId(runs: readonly ReportRun[]) {
  const seen = new Set<number>();
  const repeated: ReportRun[] = [];
  const first = runs.filter((run) => {
    if (seen.has(run.id)) {
      repeated.push(run);
      return false;
    }
    seen.add(run.id);
    return true;
  });
  return { runs: first, repeated };
}

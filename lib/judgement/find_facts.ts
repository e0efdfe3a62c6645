/**
 * Finds what is known of a schedule from its runs and its plan. Facts that only some reasons need
 * are found when they are first used.
 */
import type { ReportRun } from "../types.ts";
import { checkRuns } from "../runs/findings.ts";
import { durationsOf } from "../runs/durations.ts";
import { healthOf } from "../runs/health.ts";
import {
  type Occurrences,
  occurrencesOf,
  runsInTime,
  type TimedRuns,
} from "../runs/occurrences.ts";
import {
  CONTENT_VERSION,
  type ContentMemory,
  emptyContent,
  readContent,
} from "./content/content.ts";
import type { Plan } from "./plans/plan.ts";
import { clocksWait } from "./plans/zones/clocks_wait.ts";
import { newcomersAmong } from "../runs/newcomers.ts";
import { meaningOf, type StatusDictionary } from "../runs/status.ts";
import { withoutRepeated } from "../runs/repeated.ts";
import { newestFirst } from "../runs/times.ts";
import { trendOf } from "../runs/trends.ts";
import { expectedAt, unexpected } from "./decisions.ts";
import { type Rows, rowsOf } from "./rows.ts";
import { type Skew, skewOf } from "./skew.ts";
import { excusedBy } from "./excused.ts";
import { spansOfDays } from "./plans/calendar.ts";
import { type Facts, openRuns } from "./facts.ts";
import { judgedPlan } from "./judged_plan.ts";
import { followBefore, followConfirmed } from "./followed_plans.ts";
import type { SeenKinds } from "./seen_kinds.ts";
import { type FollowedPlan, judgeSlots } from "./slots.ts";
import type { JudgeOptions } from "./verdict.ts";

/** What is known after judging some runs: plain JSON. */
export interface Carried {
  /** What runs usually contain, how long they take, and how many people they go to. */
  readonly content?: ContentMemory;
  /** At what times the schedule ran while it was young. */
  readonly seen?: SeenKinds;
  /** Runs in a row that failed or have an unknown status, before the first that still goes on. */
  readonly rows?: Rows | undefined;
  /** By how much starts are in the future. */
  readonly skew?: Skew;
}

/** How a moment of a watched schedule is judged. */
export interface WatchJudgeOptions extends Omit<JudgeOptions, "plan"> {
  /** The plan, or null if the schedule has none. By default it is inferred. */
  readonly plan?: Plan | null | undefined;
  /** How long each slot waits beyond its grace, if the plan was inferred. */
  readonly waitFor?: FollowedPlan["waitFor"];
}

/** Runs to judge, sorted by time. */
export interface KnownRuns extends TimedRuns<ReportRun> {
  /** All of them, newest first, each id once, and those with an id that another run already has. */
  readonly runs: readonly ReportRun[];
  readonly repeated: readonly ReportRun[];
  /** Whether newer runs may not have been read. */
  readonly newerUnread: boolean;
}

/** Sorts the runs of a history by time. */
export function knownRuns(
  { runs, newerUnread = false }: {
    readonly runs: readonly ReportRun[];
    readonly newerUnread?: boolean;
  },
  now: number,
): KnownRuns {
  const { runs: single, repeated } = withoutRepeated(runs);
  const inOrder = newestFirst(single);
  return { ...runsInTime(inOrder, now), runs: inOrder, repeated, newerUnread };
}

/** What was started, and when, sorted by time. */
export interface Started {
  readonly occurrences: Occurrences<ReportRun>;
  readonly times: Float64Array;
}

/** Finds out what was started: plans are inferred from these times. */
export function startedOf(
  { timed }: Pick<KnownRuns, "timed">,
  statuses: StatusDictionary,
): Started {
  const occurrences = occurrencesOf(timed, statuses);
  return { occurrences, times: new Float64Array(occurrences.planned.map(({ time }) => time)) };
}

/**
 * Finds the facts. The inferred plans are those that the schedule followed, before the confirmed
 * plan if there is one.
 */
export function factsOf(
  { runs, repeated, timed, impossible, newerUnread }: KnownRuns,
  { occurrences, times }: Started,
  options: WatchJudgeOptions,
  inferred: readonly FollowedPlan[],
): Facts {
  const { now, statuses, plan, zone, waitFor } = options;
  const carried: Carried = options.carried ?? {};
  const { pauses = [], excused = [], calendar = [], decisions = [], leavers = [] } = options;
  // Only the slots of an inferred plan wait.
  const isConfirmed = Boolean(plan) && waitFor === undefined;
  const { seen = { firstStart: null, kinds: [] } } = carried;
  const guessed = inferred.map((one) => ({
    ...one,
    seen,
    waitFor: (latest: number, slot: number) => clocksWait(one.plan!, latest, slot),
  }));
  const given = plan ? followConfirmed(plan, times, now) : [];
  const followed = !plan
    ? guessed
    : isConfirmed
    ? followBefore(guessed, given)
    : given.map((one) => ({ ...one, seen, ...(waitFor && { waitFor }) }));
  const present = plan ?? followed.at(-1)?.plan ?? null;
  const judged = judgeSlots(occurrences, followed, now, [
    ...pauses,
    ...excused,
    ...present ? spansOfDays(calendar, present.zone) : [],
    ...excusedBy(impossible, timed),
  ]);
  const schedule = present &&
    judgedPlan(present, isConfirmed ? "confirmed" : "inferred", judged, {
      runCount: times.length,
      newerUnread,
    });
  const expected = expectedAt(decisions, now);
  const skew = skewOf({ timed, impossible }, now, carried.skew);
  const open = openRuns(timed, statuses);
  const possible = impossible.length === 0 ? runs : runs.filter((run) => !impossible.includes(run));
  // The sizes of a failed run mean nothing.
  const sized = once(() => possible.filter(({ status }) => meaningOf(status, statuses) !== "bad"));
  const content = once(() =>
    readContent(
      contentIn(carried),
      timed.filter(({ run }) => meaningOf(run.status, statuses) !== "bad" && !open.includes(run)),
      { now, statuses, zone: present?.zone ?? zone ?? "UTC" },
    )
  );
  const sizeTrend = (field: "attachmentSize" | "emailSize") => {
    const { change } = content().levels[field];
    const levels = change && { before: 2 ** change.before, after: 2 ** change.after };
    return trendOf(sized(), (run) => run[field], change && { run: change.run, ...levels! });
  };
  const lazy = {
    health: once(() => healthOf(possible, timed.map(({ run }) => run).reverse(), statuses)),
    newcomers: once(() =>
      newcomersAmong(possible, unexpected(content().outsiders.outsiders, expected))
    ),
    durations: once(() => durationsOf(timed, statuses)),
    attachmentSize: once(() => sizeTrend("attachmentSize")),
    emailSize: once(() => sizeTrend("emailSize")),
    recipients: once(() =>
      trendOf(
        possible,
        (run) => run.recipientCount ?? run.recipients?.length,
        content().recipients.drop,
      )
    ),
    findings: once(() => checkRuns([...possible, ...repeated], { dictionary: statuses, now })),
  };
  return {
    now,
    statuses,
    newerUnread,
    isConfirmed,
    runs,
    repeated,
    timed,
    open,
    impossible,
    occurrences,
    judged,
    schedule,
    expected,
    leavers,
    rows: rowsOf(timed, statuses, carried.rows),
    skew,
    get health() {
      return lazy.health();
    },
    get newcomers() {
      return lazy.newcomers();
    },
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
    get content() {
      return content();
    },
    get carried() {
      const going = timed.findIndex(({ run }) => open.includes(run));
      const ended = going < 0 ? timed : timed.slice(0, going);
      const rows = rowsOf(ended, statuses, carried.rows);
      return { content: content(), seen: judged.seen, skew, ...(rows && { rows }) };
    },
  };
}

/** What was carried, unless another version of Docket wrote it. */
function contentIn({ content }: Carried): ContentMemory {
  return content?.version === CONTENT_VERSION ? content : emptyContent();
}

/** Wraps a function so that it runs at most once. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}

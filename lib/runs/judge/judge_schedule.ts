/**
 * What is to be said of a schedule: whether it is up, why somebody should look, what was missed and
 * when it runs next.
 *
 * @module
 */
import type { ReportRun } from "../../types.ts";
import { checkRuns, type Finding } from "../check.ts";
import { type Durations, measureDurations } from "../durations.ts";
import { judgeHealth, type RunHealth } from "../health.ts";
import { occurrencesOf, runsInTime } from "../occurrences.ts";
import { plansOf } from "../plans/infer.ts";
import type { Plan } from "../plans/plan.ts";
import { type Newcomer, outsideNewcomers, recipientHistories } from "../recipients.ts";
import { meaningOf, type StatusDictionary } from "../status.ts";
import { newestFirst } from "../times.ts";
import { type Trend, trendOf } from "../trends.ts";
import { excusedBy } from "./excused.ts";
import type { Reason } from "./reason.ts";
import { reasonsFor } from "./reasons.ts";
import {
  followConfirmed,
  type FollowedPlan,
  type JudgedSlots,
  judgeSlots,
  type Slot,
  slotAt,
} from "./slots.ts";

/** The runs of a schedule, and what is known of those that were not read. */
export interface RunHistory {
  /** In any order; where an id repeats, the first counts. */
  readonly runs: readonly ReportRun[];
  /** Whether there may be older runs. Default: false. */
  readonly olderUnread?: boolean;
  /** Whether there may be newer runs: then nothing is overdue. Default: false. */
  readonly newerUnread?: boolean;
}

/** By what a schedule is judged. */
export interface JudgeOptions {
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  /** What each status means. */
  readonly statuses: StatusDictionary;
  /** The plan that a person confirmed. By default it is inferred from the runs. */
  readonly plan?: Plan;
  /** IANA name of the reader's zone, which an inferred plan is meant in if that explains the runs. */
  readonly zone?: string;
  /**
   * An earlier verdict of this function, or a copy such as one kept as JSON, to go on from: then the
   * history has only runs that are new or have changed since, and the verdict is that of all of them.
   * Plans are inferred again only where something has started since, or where it is a copy.
   */
  readonly earlier?: Verdict;
}

/** The plan that a schedule is judged by, and what became of its slots. */
export interface JudgedPlan {
  /** The plan. */
  readonly plan: Plan;
  /** Whether a person confirmed it. */
  readonly source: "confirmed" | "inferred";
  /** Slots before the newest run that were not met, the newest first, 500 at most. */
  readonly missed: readonly Slot[];
  /** Slots after the newest run whose grace is over, the newest first, 500 at most. */
  readonly overdue: readonly Slot[];
  /** Slots whose run started after the grace, the newest first, 500 at most. */
  readonly late: readonly Slot[];
  /** When it is due next, in milliseconds since 1970. */
  readonly next: number | null;
  /** From when on a miss would have shown, and whether enough ran to say that nothing was missed. */
  readonly sees: { readonly since: number; readonly enough: boolean };
  /** How many slots were missed and are overdue, also where the lists are cut. */
  readonly counts: { readonly missed: number; readonly overdue: number };
}

/** What is said of a schedule. */
export interface Verdict {
  /**
   * `up`: all is well. `late`: due, and its grace is not over. `down`: failing, overdue or missed.
   * `unknown`: it can't be said. `new`: it never ran.
   */
  readonly state: "up" | "late" | "down" | "unknown" | "new";
  /** Why somebody should look, the most severe first, then the newest. */
  readonly reasons: readonly Reason[];
  /** The plan, or null where none is confirmed and none can be seen. */
  readonly schedule: JudgedPlan | null;
  /** Its last success, since when it fails, how often it succeeds. */
  readonly health: RunHealth<ReportRun>;
  /** How long runs take. */
  readonly durations: Durations<ReportRun>;
  /** How the attachments' size moved. */
  readonly attachmentSize: Trend<ReportRun> | null;
  /** How the e-mail's size moved. */
  readonly emailSize: Trend<ReportRun> | null;
  /** How the number of recipients moved. */
  readonly recipients: Trend<ReportRun> | null;
  /** Recipients who are new from outside. */
  readonly newcomers: readonly Newcomer<ReportRun>[];
  /** What does not add up in runs, one finding for each run. */
  readonly findings: readonly Finding<ReportRun>[];
  /** The runs that were judged, the newest first, and after them those whose id had come before. */
  readonly runs: readonly ReportRun[];
}

/** The lists of slots are no longer than this. */
const MOST_SLOTS = 500;
/** Fewer runs don't show that nothing was missed. */
const ENOUGH_RUNS = 5;

/**
 * Judges a schedule by its runs.
 *
 * @param history The runs, and whether there may be others.
 * @param options The present, what statuses mean, and the plan or the zone where they are known.
 * @returns The verdict.
 * @throws {TypeError | RangeError} Where the plan, the zone or the earlier verdict is not valid.
 *
 * @example
 * ```ts
 * import { defaultStatusDictionary, judgeSchedule } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = Array.from({ length: 20 }, (_, day) => ({
 *   id: day,
 *   startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
 *   status: "success",
 * }));
 * const { state, schedule } = judgeSchedule({ runs }, {
 *   now: Date.UTC(2026, 0, 21, 6, 10),
 *   statuses: defaultStatusDictionary(),
 * });
 * assertEquals(state, "down");
 * assertEquals(schedule?.overdue.map(({ at }) => at), [Date.UTC(2026, 0, 21, 6)]);
 * ```
 */
export function judgeSchedule(history: RunHistory, options: JudgeOptions): Verdict {
  const { now, statuses } = options;
  const { newerUnread = false } = history;
  const { runs, repeated } = byId(allRuns(history.runs, options.earlier));
  const { timed, impossible } = runsInTime(runs, now);
  const occurrences = occurrencesOf(timed, statuses);
  const times = Float64Array.from(occurrences.planned, ({ time }) => time);
  const inferred = options.plan ? null : inferredFrom(times, options);
  const followed = options.plan ? followConfirmed(options.plan, times) : inferred!.plans;
  const judged = judgeSlots(occurrences, followed, now, excusedBy(impossible, timed));
  const present = followed.at(-1)?.plan ?? null;
  const source = options.plan ? "confirmed" : "inferred";
  const schedule = present &&
    judgedPlan(present, source, judged, times, newerUnread);

  const possible = impossible.length === 0 ? runs : runs.filter((run) => !impossible.includes(run));
  // A failed run has no size to speak of.
  const sized = possible.filter(({ status }) => meaningOf(status, statuses) !== "bad");
  const facts = {
    health: judgeHealth(possible, statuses),
    durations: measureDurations(possible, statuses),
    attachmentSize: trendOf(sized, (run) => run.attachmentSize),
    emailSize: trendOf(sized, (run) => run.emailSize),
    recipients: trendOf(possible, (run) => run.recipientCount ?? run.recipients?.length),
    newcomers: outsideNewcomers(possible, recipientHistories(possible, statuses)),
    findings: checkRuns([...possible, ...repeated], { dictionary: statuses, now }),
  };
  const reasons = reasonsFor({
    ...facts,
    now,
    statuses,
    newerUnread: newerUnread,
    isConfirmed: options.plan !== undefined,
    runCount: runs.length,
    timed,
    impossible,
    occurrences,
    judged,
    schedule,
  });
  const state = stateOf(runs.length, newerUnread, facts.health, schedule, reasons);
  const judgedRuns = [...newestFirst(runs), ...repeated];
  const verdict = { state, reasons, schedule, ...facts, runs: judgedRuns };
  if (inferred) {
    inferences ??= new WeakMap();
    inferences.set(verdict, inferred);
  }
  return verdict;
}

function allRuns(runs: readonly ReportRun[], earlier: Verdict | undefined): readonly ReportRun[] {
  if (earlier === undefined) return runs;
  if (!Array.isArray(earlier.runs)) {
    throw new TypeError("earlier must be a verdict of judgeSchedule or a copy, with its runs");
  }
  const changed = new Set(runs.map(({ id }) => id));
  return [...earlier.runs.filter(({ id }) => !changed.has(id)), ...runs];
}

/** Plans, and from what they were inferred. */
interface Inference {
  readonly times: Float64Array;
  readonly zone: string | undefined;
  readonly plans: FollowedPlan[];
}

// What the verdicts that are still in use rest on: to infer plans is most of the work.
let inferences: WeakMap<Verdict, Inference> | undefined;

function inferredFrom(times: Float64Array, { zone, earlier }: JudgeOptions): Inference {
  const known = earlier && inferences?.get(earlier);
  const isSame = known?.zone === zone && known?.times.length === times.length &&
    known.times.every((time, run) => time === times[run]);
  return isSame ? known : { times, zone, plans: plansOf(times, zone) as FollowedPlan[] };
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

function judgedPlan(
  plan: Plan,
  source: JudgedPlan["source"],
  { slots, next, since }: JudgedSlots<ReportRun>,
  times: Float64Array,
  newerUnread: boolean,
): JudgedPlan {
  const of = (outcome: string) =>
    slots.filter((slot) => slot.outcome === outcome).map(({ at }) => at).reverse();
  const missed = of("missed");
  // What newer runs may have met is not overdue.
  const overdue = newerUnread ? [] : of("overdue");
  const listed = (moments: readonly number[]) => moments.slice(0, MOST_SLOTS).map(slotAt);
  return {
    plan,
    source,
    missed: listed(missed),
    overdue: listed(overdue),
    late: listed(of("late")),
    next,
    sees: {
      since: since ?? plan.since,
      enough: since !== null && (source === "confirmed" || times.length >= ENOUGH_RUNS),
    },
    counts: { missed: missed.length, overdue: overdue.length },
  };
}

function stateOf(
  runCount: number,
  newerUnread: boolean,
  health: RunHealth<ReportRun>,
  schedule: JudgedPlan | null,
  reasons: readonly Reason[],
): Verdict["state"] {
  const isDown = reasons.some(({ code, severity }) =>
    code === "failing" || code === "overdue" || code === "missed" && severity !== "info"
  );
  if (isDown) return "down";
  if (runCount === 0) return "new";
  if (newerUnread || schedule === null || health.streak === null) return "unknown";
  const isDue = reasons.some(({ code, evidence }) => code === "late" && "due" in evidence);
  return isDue ? "late" : "up";
}

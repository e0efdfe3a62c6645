/**
 * Judges a schedule: whether it is up, why it needs attention, what was missed, and when it runs
 * next.
 */
import type { ReportRun } from "../types.ts";
import type { Finding } from "../runs/finding.ts";
import type { Durations } from "../runs/durations.ts";
import type { RunHealth } from "../runs/health.ts";
import { plansOf } from "./plans/infer.ts";
import type { Plan } from "./plans/plan.ts";
import { firstFrom } from "../runs/numbers.ts";
import type { RunHistory } from "../runs/load_runs.ts";
import type { Newcomer } from "../runs/newcomers.ts";
import type { StatusDictionary } from "../runs/status.ts";
import type { Trend } from "../runs/trends.ts";
import type { Facts } from "./facts.ts";
import { type Carried, factsOf, type KnownRuns, knownRuns, startedOf } from "./find_facts.ts";
import type { JudgedPlan } from "./judged_plan.ts";
import { type PlannedRun, plannedRuns } from "./planned_runs.ts";
import { type Reason, saysDown } from "./reason.ts";
import { allReasons, significantReasons } from "./reasons.ts";
import { nextStuck } from "./run_reasons.ts";
import type { FollowedPlan, Pause } from "./slots.ts";

export type { JudgedPlan } from "./judged_plan.ts";
export type { Carried } from "./find_facts.ts";
export type { PlannedOutcome, PlannedRun } from "./planned_runs.ts";

/** How a schedule is judged. */
export interface JudgeOptions {
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** What each status means. */
  readonly statuses: StatusDictionary;
  /** The plan that a person confirmed. By default it is inferred from the runs. */
  readonly plan?: Plan;
  /** Times when no run is expected, so nothing is missed or overdue. */
  readonly pauses?: readonly Pause[];
  /** IANA name of the reader's zone; an inferred plan is in this zone if that explains the runs. */
  readonly zone?: string;
  /**
   * What the verdict on earlier runs carried, or a copy such as one stored as JSON. Then what was
   * usual in runs that are no longer given is known, and no change is found twice.
   */
  readonly carried?: Carried;
}

/** The verdict on a schedule. */
export interface Verdict {
  /**
   * `up`: it runs. `late`: due, within its grace. `down`: failing or overdue now.
   * `unknown`: too little is known. `new`: it never ran. {@linkcode headline} says more.
   */
  readonly state: "up" | "late" | "down" | "unknown" | "new";
  /** Why it needs attention, most severe first, then newest. */
  readonly reasons: readonly Reason[];
  /** The plan, or null if none is confirmed and none was found. */
  readonly schedule: JudgedPlan | null;
  /** The latest planned runs and what became of each, oldest first, among runs nobody planned. */
  readonly planned: readonly PlannedRun[];
  /** Its last success, since when it fails, how often it succeeds. */
  readonly health: RunHealth<ReportRun>;
  /** How long runs take. */
  readonly durations: Durations<ReportRun>;
  /** How the attachments' size changed. */
  readonly attachmentSize: Trend<ReportRun> | null;
  /** How the email's size changed. */
  readonly emailSize: Trend<ReportRun> | null;
  /** How the number of recipients changed. */
  readonly recipients: Trend<ReportRun> | null;
  /** New recipients from outside. */
  readonly newcomers: readonly Newcomer<ReportRun>[];
  /** Inconsistencies in runs, one finding for each run. */
  readonly findings: readonly Finding<ReportRun>[];
  /** The judged runs, newest first, followed by those with an id that another run already has. */
  readonly runs: readonly ReportRun[];
  /** What judging newer runs needs to know of these: plain JSON. */
  readonly carried: Carried;
}

/**
 * Judges a schedule by its runs.
 *
 * @param history The runs, and whether there may be others.
 * @param options The current time, what statuses mean, and the plan or the zone if known.
 * @throws {TypeError | RangeError} If the plan or the zone is not valid.
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
  const { statuses, zone, plan } = options;
  const known = knownRuns(history, options.now);
  const started = startedOf(known, statuses);
  // What ran before a confirmed plan is judged by the plan before it.
  const before = plan ? firstFrom(started.times, plan.since) : started.times.length;
  const plans = before === 0 ? [] : plansOf(started.times.subarray(0, before), zone);
  const facts = factsOf(known, started, options, plans);
  const reasons = allReasons(facts);
  const { health, durations, attachmentSize, emailSize, recipients, newcomers, findings } = facts;
  return {
    state: stateOf(facts, reasons),
    reasons,
    schedule: facts.schedule,
    planned: plannedRuns(facts),
    health,
    durations,
    attachmentSize,
    emailSize,
    recipients,
    newcomers,
    findings,
    runs: [...facts.runs, ...facts.repeated],
    carried: { content: facts.content, seen: facts.judged.seen },
  };
}

/** How a moment of a watched schedule is judged. */
export interface WatchJudgeOptions extends Omit<JudgeOptions, "plan"> {
  /** The plan, or null if the schedule has none. By default it is inferred. */
  readonly plan?: Plan | null | undefined;
  /** How long each slot waits beyond its grace, if the plan was inferred. */
  readonly waitFor?: FollowedPlan["waitFor"];
}

/** What watching needs of a verdict. */
export interface WatchVerdict {
  /** Some that only inform are left out. Most severe first, then newest. */
  readonly reasons: readonly Reason[];
  readonly carried: Carried;
  /** When the next run that goes on will be stuck; null if none does. */
  readonly nextStuck: number | null;
}

/** Judges what watching needs. */
export function judgeToWatch(known: KnownRuns, options: WatchJudgeOptions): WatchVerdict {
  const started = startedOf(known, options.statuses);
  const plans = options.plan === undefined ? plansOf(started.times, options.zone) : [];
  const facts = factsOf(known, started, options, plans);
  return {
    reasons: significantReasons(facts),
    carried: { content: facts.content, seen: facts.judged.seen },
    nextStuck: nextStuck(facts),
  };
}

function stateOf(facts: Facts, reasons: readonly Reason[]): Verdict["state"] {
  if (saysDown(reasons)) return "down";
  if (facts.runCount === 0) return facts.newerUnread ? "unknown" : "new";
  if (facts.newerUnread || facts.schedule === null || facts.health.streak === null) {
    return "unknown";
  }
  const isDue = reasons.some(({ code, evidence }) => code === "late" && "due" in evidence);
  return isDue ? "late" : "up";
}

/**
 * Judges a schedule: whether it is up, why it needs attention, what was missed, and when it runs
 * next.
 */
import { firstFrom } from "../runs/numbers.ts";
import type { RunHistory } from "../runs/load_runs.ts";
import type { Facts } from "./facts.ts";
import {
  factsOf,
  type KnownRuns,
  knownRuns,
  startedOf,
  type WatchJudgeOptions,
} from "./find_facts.ts";
import { plannedRuns } from "./planned_runs.ts";
import { plansOf } from "./plans/infer.ts";
import { type Reason, saysDown } from "./reason.ts";
import { allReasons, significantReasons } from "./reasons.ts";
import { nextStuck } from "./run_reasons.ts";
import type { JudgeOptions, Verdict } from "./verdict.ts";

export type { JudgedPlan } from "./judged_plan.ts";
export type { PlannedOutcome, PlannedRun } from "./planned_runs.ts";
export type { JudgeOptions, Verdict } from "./verdict.ts";

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
    carried: facts.carried,
  };
}

/** What watching needs of a verdict. */
export interface WatchVerdict {
  /** Some that only inform are left out. Most severe first, then newest. */
  readonly reasons: readonly Reason[];
  readonly carried: object;
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
    carried: facts.carried,
    nextStuck: nextStuck(facts),
  };
}

function stateOf(facts: Facts, reasons: readonly Reason[]): Verdict["state"] {
  if (saysDown(reasons)) return "down";
  if (facts.runs.length === 0) return facts.newerUnread ? "unknown" : "new";
  if (facts.newerUnread || facts.schedule === null || facts.health.streak === null) {
    return "unknown";
  }
  const isDue = reasons.some(({ code, evidence }) => code === "late" && "due" in evidence);
  return isDue ? "late" : "up";
}

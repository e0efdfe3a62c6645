/** Infers the plan that a schedule seems to follow from its runs. */
import type { ReportRun } from "../../types.ts";
import { occurrencesOf, runsInTime, timesOf } from "../../runs/occurrences.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../runs/status.ts";
import { type Candidate, weeksFrom } from "./candidates.ts";
import type { PlanPeriod } from "./cost.ts";
import { periodsOf } from "./fit.ts";
import { graceOf } from "./grace.ts";
import type { Plan } from "./plan.ts";

/**
 * Infers the plan that a schedule follows now.
 *
 * @param runs The runs, in any order.
 * @param options The current time in milliseconds since 1970, and the reader's zone, which is
 * preferred to other zones that explain the runs equally well.
 * @returns The plan, or null if none was found.
 *
 * @example
 * ```ts
 * import { inferPlan } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = Array.from({ length: 20 }, (_, day) => ({
 *   id: day,
 *   startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
 * }));
 * const plan = inferPlan(runs, { now: Date.UTC(2026, 0, 21), zone: "UTC" });
 * assertEquals(plan?.cron, ["0 6 * * *"]);
 * ```
 */
export function inferPlan(
  runs: readonly ReportRun[],
  { now, zone, statuses = defaultStatusDictionary() }: {
    readonly now: number;
    readonly zone?: string;
    readonly statuses?: StatusDictionary;
  },
): Plan | null {
  const { planned } = occurrencesOf(runsInTime(runs, now, statuses).timed);
  const plans = plansOf(timesOf(planned.map(([first]) => first)), zone);
  return plans.at(-1)?.plan ?? null;
}

export interface PlannedPeriod extends Pick<PlanPeriod, "from" | "to"> {
  readonly plan: Plan | null;
}

export function plansOf(times: Float64Array, zone: string | undefined): PlannedPeriod[] {
  return periodsOf(times, zone).map(({ from, to, undecided = 0, fit }) => ({
    from,
    to,
    // Runs that may follow another plan say nothing of how late those of this one are.
    plan: fit && planOf(fit.candidate, times.subarray(from, to - undecided)),
  }));
}

function planOf(candidate: Candidate, times: Float64Array): Plan {
  const { weeks } = candidate.read;
  return {
    cron: candidate.cron,
    zone: candidate.read.clock.zone,
    ...(weeks ? { everyWeeks: { n: weeks.n, from: weeksFrom(weeks, times[0]) } } : {}),
    graceMs: graceOf(candidate, times),
    since: times[0],
  };
}

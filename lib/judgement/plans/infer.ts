import { MINUTE } from "../../time_units.ts";
import type { ReportRun } from "../../types.ts";
import { occurrencesOf, timedRuns, timesOf } from "../../runs/occurrences.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../runs/status.ts";
import { planPeriods } from "./best_plan.ts";
import { weekStart } from "./due_days.ts";
import { addUp, type Fit, withoutLargest } from "./likelihood.ts";
import * as numbers from "./numbers.ts";
import type { Plan } from "./plan.ts";
import { slotTimesUpTo } from "./slot_times.ts";

/**
 * Infers the plan that a schedule follows now.
 *
 * @param runs The runs, in any order.
 * @param options The current time in milliseconds since 1970; what statuses mean; and the IANA name
 * of the reader's zone, which is preferred to others that explain the runs as well.
 * @returns The plan, or null if none was found.
 * @throws {RangeError} If the zone is not valid.
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
  const { planned } = occurrencesOf(timedRuns(runs, now, statuses).timed);
  const times = timesOf(planned.map(([first]) => first));
  return plansFollowed(times, zone).at(-1)?.plan ?? null;
}

/** The plans that sorted starts show, or none, each from the start of its first run on. */
export function plansFollowed(
  times: Float64Array,
  zone: string | undefined,
): { readonly plan: Plan | null; readonly from: number }[] {
  return planPeriods(times, zone).map(({ from, fit }) => ({
    plan: fit && toPlan(fit, times[from]),
    from: times[from],
  }));
}

function toPlan(fit: Fit, since: number): Plan {
  const { cron, plan: { clock, weeks } } = fit.candidate;
  return {
    cron,
    zone: clock.zone,
    ...(weeks ? { everyWeeks: { n: weeks.n, from: weekStart(weeks, since) } } : {}),
    graceMs: graceFor(fit, since),
    since,
  };
}

/** A lateness that hardly any run exceeds, in milliseconds; a whole number of minutes. */
function graceFor({ lateness, candidate: { plan } }: Fit, since: number): number {
  const minutes = numbers.GRACE_FACTOR * rareLateness(lateness);
  // Fifty show the shortest time between two of them.
  const slots = slotTimesUpTo(plan, since, 50);
  const shortest = slots.slice(1).reduce(
    (least, slot, at) => Math.min(least, slot - slots[at]),
    Infinity,
  );
  const longest = Math.floor(shortest * numbers.LATEST_SHARE / MINUTE);
  return Math.max(numbers.MIN_GRACE_MINUTES, Math.min(Math.ceil(minutes), longest)) * MINUTE;
}

/** The lateness that one run in a hundred exceeds, in minutes. */
function rareLateness(lateness: Float64Array): number {
  const count = lateness.length;
  const later = Math.floor(count / numbers.RARE_RUNS);
  if (later > 0) return lateness.toSorted()[count - 1 - later];
  // Of few runs, none is one in a hundred: lateness is exponential, with an uncertain mean. Eleven
  // that sum to 12.1 minutes -> 12.1 * (100 ** (1 / 11) - 1) = 6.3.
  const usual = withoutLargest(lateness);
  return addUp(usual) * (numbers.RARE_RUNS ** (1 / usual.length) - 1);
}

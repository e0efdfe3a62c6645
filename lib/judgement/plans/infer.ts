import { MINUTE } from "../../time_units.ts";
import type { ReportRun } from "../../types.ts";
import { occurrencesOf, timedRuns, timesOf } from "../../runs/occurrences.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../runs/status.ts";
import { type Candidate, matchTo, weeksFrom } from "./candidates.ts";
import { rivalsOf } from "./best_fit.ts";
import type { PlanPeriod } from "./cost.ts";
import { periodsOf } from "./fit.ts";
import type { Plan } from "./plan.ts";
import { usualCount } from "./tally.ts";

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
  const last = periodsOf(times, zone).at(-1);
  return last ? planOf(last, times) : null;
}

export interface PlannedPeriod extends Pick<PlanPeriod, "from" | "to"> {
  readonly plan: Plan | null;
  readonly rivals: ReturnType<typeof rivalsOf>;
}

export function plansOf(times: Float64Array, zone: string | undefined): PlannedPeriod[] {
  return periodsOf(times, zone).map((period) => {
    const { from, to, fit } = period;
    const rivals = fit ? rivalsOf(fit, times.subarray(from, to), zone) : [];
    return { from, to, plan: planOf(period, times), rivals };
  });
}

function planOf({ from, to, undecided = 0, fit }: PlanPeriod, times: Float64Array): Plan | null {
  if (fit === null) return null;
  const { candidate } = fit;
  const { weeks } = candidate.read;
  // Undecided runs may follow another plan, so they don't show how late runs of this one are.
  const decided = times.subarray(from, to - undecided);
  return {
    cron: candidate.cron,
    zone: candidate.read.clock.zone,
    ...(weeks ? { everyWeeks: { n: weeks.n, from: weeksFrom(weeks, decided[0]) } } : {}),
    graceMs: graceOf(candidate, decided),
    since: decided[0],
  };
}

const MIN_GRACE = 5 * MINUTE;
/** One run in this many may be later than the grace. */
const ONE_IN = 100;
/** The odds, before any run is known, that lateness is uniform and not exponential. */
const EVEN_ODDS = 0.5;
/** Halving any range of lateness this often finds a minute. */
const HALVINGS = 20;
/** A run later than this share of the time between slots belongs to no slot. */
const LATEST_PART = 0.95;

/** The lateness that one run in a hundred exceeds, in milliseconds; a whole number of minutes. */
export function graceOf(candidate: Candidate, times: Float64Array): number {
  const { slots, slotOf } = matchTo(candidate, times);
  const late: number[] = [];
  let shortest = Infinity;
  slotOf.forEach((slot, run) => {
    if (slot < 0) return;
    late.push(Math.max(0, times[run] - slots[slot]));
    if (slot + 1 < slots.length) shortest = Math.min(shortest, slots[slot + 1] - slots[slot]);
  });
  late.sort((a, b) => a - b);
  const later = Math.max(1, Math.floor(late.length / ONE_IN));
  const seen = (late[late.length - 1 - later] ?? 0) * 1.1;
  // Too few runs to see one in a hundred: estimate it from the distribution of lateness.
  const likely = late.length < ONE_IN ? Math.min(lateBy(late), shortest * LATEST_PART) : 0;
  return Math.max(MIN_GRACE, Math.ceil(Math.max(seen, likely) / MINUTE) * MINUTE);
}

/** Estimates the lateness that one run in a hundred exceeds; it may be uniform or exponential. */
function lateBy(late: readonly number[]): number {
  const count = usualCount(late.length);
  if (count < 2) return 0;
  const left = late.length - count;
  const usual = late.slice(0, count);
  const [least, most] = [usual[0], usual[count - 1]];
  const sum = usual.reduce((sum, each) => sum + each - least, 0);
  // The odds of uniform against exponential lateness, for any maximum and any mean.
  let odds = EVEN_ODDS;
  for (let run = 1; run < count; run++) odds *= sum / (most - least) / run;
  const even = odds / (1 + odds);
  // The latest run is not an outlier if it is near the others. Runs left out are as late as `most`.
  const top = Math.min(late[late.length - 1], most + 2 * left / count * (most - least));
  const mean = (sum + left * (most - least)) / (count - 1);
  const shareLaterThan = (lateness: number) =>
    even * (lateness < top ? 1 : (top / lateness) ** count / (count + 1)) +
    (1 - even) * (1 + (lateness - least) / (count * mean)) ** -count;
  let [low, high] = [most, least + mean * count * (ONE_IN ** (1 / count) - 1)];
  for (let half = 0; half < HALVINGS && low < high; half++) {
    const middle = (low + high) / 2;
    if (shareLaterThan(middle) > 1 / ONE_IN) low = middle;
    else high = middle;
  }
  return high;
}

/** The plans that a schedule followed: those that describe its runs in the fewest bits. */
import { candidatesFor, type CandidateZone } from "./candidates.ts";
import {
  addUp,
  type Fit,
  fitTo,
  intervalBits,
  runBits,
  type Starts,
  toStarts,
} from "./likelihood.ts";
import * as numbers from "./numbers.ts";
import { zonesFor } from "./zones.ts";

/** A time during which a schedule followed a plan, or none. */
interface PlanPeriod {
  /** The index of its first run. */
  readonly from: number;
  readonly fit: Fit | null;
  /** To have no plan takes as much as a plan has to save. */
  readonly bits: number;
}

/** Finds the plans that runs followed, as periods that together cover all runs, in order. */
export function planPeriods(times: Float64Array, zone: string | undefined): PlanPeriod[] {
  const starts = toStarts(times);
  const zones = zonesFor(times, zone);
  const fit = bestPlan(starts, zones);
  const bits = fit?.bits ?? numbers.MIN_SAVED_BITS + addUp(starts.bitsWithoutPlan);
  const whole = [{ from: 0, fit, bits }];
  const change = mayHaveChanged(fit, starts) ? findChange(fit, starts, zones) : null;
  if (change === null) return whole;
  const after = planPeriods(times.subarray(change), zone)
    .map((period) => ({ ...period, from: period.from + change }));
  const parts = [...planPeriods(times.subarray(0, change), zone), ...after];
  return parts.reduce((sum, each) => sum + each.bits, changeBits(times)) < bits ? parts : whole;
}

function changeBits({ length }: Float64Array): number {
  return numbers.CHANGE_BITS + Math.log2(length);
}

/** The plan that explains runs best, if it saves too many bits to be chance. */
function bestPlan(starts: Starts, zones: readonly CandidateZone[]): Fit | null {
  const { times } = starts;
  if (times.length < 2) return null;
  const newest = times.length > numbers.RANKED_RUNS
    ? toStarts(times.subarray(-numbers.RANKED_RUNS))
    : starts;
  let fits = zones.flatMap((zone) => candidatesFor(times, zone))
    .map((candidate) => fitTo(candidate, newest)).sort((a, b) => a.bits - b.bits);
  if (newest !== starts) {
    fits = fits.slice(0, numbers.WEIGHED_PLANS).map(({ candidate }) => fitTo(candidate, starts))
      .sort((a, b) => a.bits - b.bits);
  }
  // What one description has to save against another, or it is chance.
  const least = numbers.MIN_SAVED_BITS + numbers.MIN_SAVED_BITS_A_RUN * times.length;
  // A plan is hard to believe if every second run comes after a gap: gaps have the lowest price.
  const isMostlyMissed = ({ habits }: Fit) => habits.gapBegins.event === numbers.MIN_EVENT_BITS;
  const cost = (fit: Fit) => fit.bits + (isMostlyMissed(fit) ? least : 0);
  const [best] = fits.toSorted((a, b) => cost(a) - cost(b));
  // Nor is it a plan where a fixed interval, such as 48 hours or 7 minutes, describes much more.
  const most = Math.min(addUp(starts.bitsWithoutPlan) - least, intervalBits(starts) + least);
  return best && cost(best) <= most ? best : null;
}

/** Whether runs have no plan, or one that leaves much unexplained, in all or at an end. */
function mayHaveChanged(fit: Fit | null, starts: Starts): boolean {
  const count = starts.times.length;
  if (count < numbers.MIN_RUNS_TO_CHANGE) return false;
  if (fit === null) return true;
  const { bits, wrong } = runBits(fit, starts);
  const misfit = addUp(bits.map((each, run) => wrong[run] ? each : 0)) / count;
  if (misfit > numbers.MISFIT_BITS_A_RUN) return true;
  const usual = numbers.MISFIT_AT_END * Math.max(numbers.MIN_USUAL_BITS, addUp(bits) / count);
  return windowSizes(count).some((size) =>
    addUp(bits.subarray(0, size)) > usual * size || addUp(bits.subarray(-size)) > usual * size
  );
}

/** The sizes of the parts at either end that may have a plan of their own: 4, 6, 9, 14 … */
function windowSizes(count: number): number[] {
  const sizes: number[] = [];
  let size = numbers.FIRST_WINDOW;
  for (; size < count; size = Math.ceil(size * numbers.WINDOW_GROWTH)) sizes.push(size);
  return sizes;
}

/** The first run of the new plan if two plans explain the runs better than one; otherwise null. */
function findChange(
  whole: Fit | null,
  starts: Starts,
  zones: readonly CandidateZone[],
): number | null {
  const { times } = starts;
  const count = times.length;
  // A schedule that changes its plan rarely changes its zone. `planPeriods` then looks for the plan
  // of each part in all of them.
  const likely = zones.filter(({ clock }) => !whole || clock === whole.candidate.plan.clock);
  const plansIn = (parts: readonly Float64Array[]) => {
    const fits = parts.flatMap((part) => bestPlan(toStarts(part), likely) ?? []);
    // A part that also holds runs of the other plan may show the same plan, with other habits. The
    // map keeps the last of each plan: the one with the fewest bits a run.
    const bitsARun = (fit: Fit) => fit.bits / fit.runs;
    fits.sort((a, b) => bitsARun(b) - bitsARun(a));
    const ofPlan = new Map(fits.map((fit) => [fit.candidate.key, fit]));
    return [
      ...[...ofPlan.values()].map((fit) => costsUnder(fit, starts)),
      costsWithoutPlan(starts),
    ];
  };
  const sizes = windowSizes(count);
  const before = plansIn(sizes.map((size) => times.subarray(0, size)));
  const after = plansIn(sizes.map((size) => times.subarray(-size)));
  let least = whole?.bits ?? addUp(starts.bitsWithoutPlan);
  let change: number | null = null;
  for (const old of before) {
    for (const next of after) {
      if (old.key === next.key) continue;
      // If all runs show the new plan, the question is only since when it holds.
      const leastWrong = next.key === whole?.candidate.key ? 1 : numbers.MIN_WRONG_AFTER_CHANGE;
      const fixed = old.planBits + next.planBits + changeBits(times);
      let wrong = 0;
      let counted = Infinity;
      for (let at = count - 1; at >= numbers.FIRST_WINDOW; at--) {
        const isWrong = old.bits[at] - next.bits[at] > numbers.WRONG_BITS;
        // Twice at 06:00, 06:20 and 06:40: two things, not four.
        if (isWrong && counted - times[at] >= numbers.APART_MS) {
          [wrong, counted] = [wrong + 1, times[at]];
        }
        if (wrong < leastWrong) continue;
        const bits = fixed + old.until[at] + next.until[count] - next.until[at];
        if (bits < least) [least, change] = [bits, at];
      }
    }
  }
  return change;
}

/** What each run takes under a plan, and all until each. */
function costsUnder(fit: Fit, starts: Starts) {
  const { key, bits: planBits } = fit.candidate;
  const { bits } = runBits(fit, starts);
  return { key, planBits, bits, until: runningSum(bits) };
}

/**
 * What runs take in a part without a plan: as much as a plan has to save, or a few odd runs would be
 * a part of their own.
 */
function costsWithoutPlan({ bitsWithoutPlan: bits }: Starts): ReturnType<typeof costsUnder> {
  return { key: "", planBits: numbers.MIN_SAVED_BITS, bits, until: runningSum(bits) };
}

function runningSum(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) sums[at + 1] = sums[at] + values[at];
  return sums;
}

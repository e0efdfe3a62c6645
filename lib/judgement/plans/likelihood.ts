/** Computes how many bits it takes to describe runs, with a plan and without one. */
import { MINUTE } from "../../time_units.ts";
import type { Candidate } from "./candidates.ts";
import { matchSlots } from "./match.ts";
import * as numbers from "./numbers.ts";
import { firstSlot, slotTimes, slotTimesUpTo } from "./slot_times.ts";

/** When runs started, and what that takes without a plan. */
export interface Starts {
  /** Sorted, in milliseconds since 1970. */
  readonly times: Float64Array;
  /** The finest difference between starts, in minutes. */
  readonly resolution: number;
  /** The bits of each run without a plan: of the gap before it. */
  readonly bitsWithoutPlan: Float64Array;
}

/** Without a plan, the logarithms of the gaps between runs are normally distributed. */
export function toStarts(times: Float64Array): Starts {
  const gaps = times.subarray(1).map((time, at) => (time - times[at]) / MINUTE);
  const usual = gaps.toSorted()[gaps.length >> 1] ?? 1;
  // At the finest, half a second, which is about 0.01 minutes.
  const resolution = Math.max(0.01, Math.min(1, usual * numbers.RESOLUTION_SHARE));
  const logs = gaps.map((gap) => Math.log(Math.max(resolution, gap)));
  const mean = addUp(logs) / logs.length;
  const variance = addUp(logs.map((log) => (log - mean) ** 2)) / logs.length;
  const deviation = Math.max(numbers.MIN_DEVIATION, Math.sqrt(variance));
  const bitsWithoutPlan = new Float64Array(times.length);
  logs.forEach((log, at) => {
    const density = Math.exp(-(((log - mean) / deviation) ** 2) / 2) /
      (Math.exp(log) * deviation * Math.sqrt(2 * Math.PI));
    bitsWithoutPlan[at + 1] = -Math.log2(density);
  });
  return { times, resolution, bitsWithoutPlan };
}

/**
 * The bits of runs that come at one interval, whatever the time of day: every 48 hours are no daily
 * plan of which half is missed.
 */
export function intervalBits({ times, resolution, bitsWithoutPlan }: Starts): number {
  const gaps = times.subarray(1).map((time, at) => (time - times[at]) / MINUTE);
  const interval = gaps.toSorted()[gaps.length >> 1];
  const late = gaps.map((gap) => Math.abs(gap - interval));
  const mean = Math.max(resolution, average(withoutLargest(late)));
  const bits = late.map((minutes, at) => {
    const outlier = numbers.OUTLIER_PROBABILITY * 2 ** -bitsWithoutPlan[at + 1];
    // It may be shorter or longer.
    return -Math.log2(usualDensity(minutes, mean) / 2 + outlier);
  });
  return numbers.ANY_MINUTE_BITS + addUp(bits);
}

export function addUp(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

export interface Fit {
  readonly candidate: Candidate;
  readonly habits: Habits;
  /** The bits of the plan and of all runs. */
  readonly bits: number;
  readonly runs: number;
  /** How late each run was that has a planned time, in minutes. */
  readonly lateness: Float64Array;
}

/** What the events of a plan cost, by how often they happened. */
interface Habits {
  readonly meanLateness: number;
  readonly gapBegins: Prices;
  readonly gapEnds: Prices;
  readonly strays: Prices;
}

/** The bits of an event, and of its not happening. */
interface Prices {
  readonly event: number;
  readonly other: number;
}

/** What an event costs that happened some times, against others. */
function toPrices(times: number, others: number): Prices {
  const event = Math.max(numbers.MIN_EVENT_BITS, -Math.log2((times + 0.5) / (times + others + 1)));
  return { event, other: -Math.log2(1 - 2 ** -event) };
}

export function fitTo(candidate: Candidate, starts: Starts): Fit {
  const runs = matchTo(candidate, starts.times);
  const lateness = runs.late.filter((late) => !Number.isNaN(late));
  const misses = addUp(runs.missed);
  const gaps = runs.missed.filter((missed) => missed > 0).length;
  const habits = {
    meanLateness: Math.max(starts.resolution, average(withoutLargest(lateness))),
    gapBegins: toPrices(gaps, lateness.length - gaps),
    gapEnds: toPrices(gaps, misses - gaps),
    strays: toPrices(starts.times.length - lateness.length, lateness.length),
  };
  const bits = candidate.bits + addUp(bitsUnder(habits, runs, starts).bits);
  return { candidate, habits, bits, runs: starts.times.length, lateness };
}

/** The usual of some minutes, sorted: of twelve, all but the largest, which has its own reason. */
export function withoutLargest(minutes: Float64Array): Float64Array {
  const count = Math.max(1, Math.floor(minutes.length * numbers.USUAL_SHARE));
  return minutes.toSorted().subarray(0, count);
}

function average(values: Float64Array): number {
  return values.length === 0 ? 0 : addUp(values) / values.length;
}

/** The bits of runs under a plan, with habits that may be those of other runs. */
export function runBits({ candidate, habits }: Fit, starts: Starts) {
  return bitsUnder(habits, matchTo(candidate, starts.times), starts);
}

/** Of each run: by how many minutes it is late, the minutes between planned runs, and those missed. */
function matchTo({ plan }: Candidate, times: Float64Array) {
  const [first, last] = [times[0], times[times.length - 1]];
  // One slot before the first run and one after the last are enough.
  const from = slotTimesUpTo(plan, first, 1).at(-1) ?? first;
  const slots = slotTimes(plan, from, (firstSlot(plan, last + 1) ?? last) + 1);
  // Not a number for a run without a planned time.
  const late: Float64Array = new Float64Array(times.length).fill(NaN);
  const [gap, missed]: Float64Array[] = [new Float64Array(late), new Float64Array(times.length)];
  let before = -1;
  matchSlots(slots, times).forEach((slot, run) => {
    if (slot < 0) return;
    late[run] = Math.abs(times[run] - slots[slot]) / MINUTE;
    gap[run] = ((slots[slot + 1] ?? Infinity) - slots[slot]) / MINUTE;
    missed[run] = before < 0 ? 0 : slot - before - 1;
    before = slot;
  });
  return { late, gap, missed };
}

/** How likely a run that is no outlier is so late: exponential. */
function usualDensity(minutes: number, mean: number): number {
  return (1 - numbers.OUTLIER_PROBABILITY) * Math.exp(-minutes / mean) / mean;
}

function bitsUnder(
  { meanLateness, gapBegins, gapEnds, strays }: Habits,
  { late, gap, missed }: ReturnType<typeof matchTo>,
  { bitsWithoutPlan }: Starts,
) {
  // Whether a run is a surprise: no planned time, planned runs missed before it, or far too late.
  const wrong = new Uint8Array(late.length);
  const bits: Float64Array = late.map((minutes, run) => {
    const usual = usualDensity(minutes, meanLateness);
    const outlier = numbers.OUTLIER_PROBABILITY / gap[run];
    wrong[run] = Number.isNaN(minutes) || missed[run] > 0 || outlier > usual ? 1 : 0;
    if (Number.isNaN(minutes)) return strays.event + bitsWithoutPlan[run];
    const missedBits = missed[run] === 0
      ? gapBegins.other
      : gapBegins.event + (missed[run] - 1) * gapEnds.other + gapEnds.event;
    return strays.other - Math.log2(usual + outlier) + missedBits;
  });
  return { bits, wrong };
}

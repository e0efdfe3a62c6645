/** When runs started, and the bits to describe that without a plan. */
import { MINUTE } from "../../time_units.ts";
import { FINEST_PART, MIN_DEVIATION } from "./constants.ts";

export interface Starts {
  readonly times: Float64Array;
  /** The finest difference between starts, in minutes. */
  readonly finest: number;
}

export function startsOf(times: Float64Array): Starts {
  const gaps = new Float64Array(Math.max(0, times.length - 1));
  for (let at = 0; at < gaps.length; at++) gaps[at] = times[at + 1] - times[at];
  gaps.sort();
  const usual = (gaps[gaps.length >> 1] ?? MINUTE) / MINUTE;
  return { times, finest: Math.max(0.01, Math.min(1, usual * FINEST_PART)) };
}

export function partOf({ times, finest }: Starts, from: number, to: number): Starts {
  return { times: times.subarray(from, to), finest };
}

/** The bits of the times between runs: all about the same, or varied if runs come in bursts. */
export function unplannedBits({ times, finest }: Starts): number {
  const count = times.length;
  if (count < 2) return Infinity;
  const gap = Math.max(finest, (times[count - 1] - times[0]) / MINUTE / (count - 1));
  let [sum, squares] = [0, 0];
  for (let at = 1; at < count; at++) {
    const log = Math.log(Math.max(finest, (times[at] - times[at - 1]) / MINUTE));
    sum += log;
    squares += log * log;
  }
  const mean = sum / (count - 1);
  const deviation = Math.sqrt(Math.max(0, squares / (count - 1) - mean * mean));
  // The bits of a normally distributed value, without those of its deviation.
  const gaussBits = 0.5 * Math.log2(2 * Math.PI * Math.E);
  const inBursts = mean * Math.LOG2E + Math.log2(Math.max(MIN_DEVIATION, deviation)) + gaussBits;
  return count * Math.min(Math.log2(gap) + Math.LOG2E, inBursts);
}

/** Compares two measurements round by round, so that what else the machine does falls on both. */
import { median } from "./bench.ts";

/** What both come to, in the middle of all rounds. */
export interface Pairs {
  readonly measured: number;
  readonly baseline: number;
  /** The middle one of all rounds' ratios, measured by baseline. */
  readonly ratio: number;
}

/** Measures both in turns; the first rounds are for warming up. */
export async function inPairs(
  measured: () => Promise<number>,
  baseline: () => Promise<number>,
  { warmUp = 1, rounds = 5 }: { readonly warmUp?: number; readonly rounds?: number } = {},
): Promise<Pairs> {
  const pairs: [measured: number, baseline: number][] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    pairs.push([await measured(), await baseline()]);
  }
  const counted = pairs.slice(warmUp);
  return {
    measured: median(counted.map(([measured]) => measured)),
    baseline: median(counted.map(([, baseline]) => baseline)),
    ratio: median(counted.map(([measured, baseline]) => measured / baseline)),
  };
}

/** Compares two measurements round by round, so that other load on the machine affects both. */
import { type Figure, figureOf, median } from "./bench.ts";
import { type LoadRequest, requestsPerSecond } from "./load.ts";

/** The medians of all rounds. */
export interface Pairs {
  readonly measured: number;
  readonly baseline: number;
  /** The median of all rounds' ratios to the baseline. */
  readonly ratio: number;
}

/** Measures both in turns; the first rounds are a warm-up. */
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

type Load = LoadRequest | readonly LoadRequest[];

/** How many requests two servers answer per second. */
export async function ratesOf(
  what: string,
  [ours, theirs]: readonly [ours: Load, theirs: Load],
  target?: Figure["target"],
  options?: Parameters<typeof requestsPerSecond>[1],
): Promise<Figure> {
  const rates = await inPairs(
    () => requestsPerSecond(ours, options),
    () => requestsPerSecond(theirs, options),
  );
  return figureOf(what, rates, (rate) => `${rate.toFixed(0)} requests/s`, target);
}

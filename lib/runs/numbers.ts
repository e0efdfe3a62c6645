/** Median, spread and outliers of numbers. */
import { distancesFrom, quantileOfSorted, sortedOf, TO_STANDARD } from "./sorted.ts";

/**
 * A quantile, with linear interpolation between neighbours.
 *
 * @param values The numbers, in any order.
 * @param part The share of numbers below it: 0.5 is the median.
 * @returns The quantile, or undefined if there are no numbers.
 *
 * @example
 * ```ts
 * import { quantile } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(quantile([4, 1, 3, 2], 0.5), 2.5);
 * ```
 */
export function quantile(values: readonly number[], part: number): number | undefined {
  if (values.length === 0) return undefined;
  return quantileOfSorted(sortedOf(values), part);
}

/** The median of some numbers, and how far from it a number is an outlier. */
export interface Spread {
  /** How many numbers this is based on. */
  readonly count: number;
  /** The median. */
  readonly median: number;
  /** The median absolute deviation from the median. */
  readonly deviation: number;
  /** Numbers below this are outliers. */
  readonly low: number;
  /** Numbers above this are outliers. */
  readonly high: number;
}

/** Fewer numbers than this have no outliers, since nothing is known about what is usual. */
const FEWEST = 8;

/** An outlier is this many scaled deviations from the median. */
const OUTLYING = 3.5;

/**
 * The spread of some numbers by median absolute deviation, which outliers hardly affect.
 *
 * @param floor The least deviation to assume, so that numbers that are nearly all equal don't make
 * every other one an outlier. Default: a twentieth of the median.
 * @returns The spread, or undefined if there are fewer than eight numbers.
 *
 * @example
 * ```ts
 * import { spreadOf } from "@docket/docket";
 * import { assert } from "@std/assert";
 *
 * const spread = spreadOf([30, 31, 29, 30, 32, 28, 30, 900]);
 * assert(spread !== undefined && 900 > spread.high && 32 < spread.high);
 * ```
 */
export function spreadOf(values: readonly number[], floor?: number): Spread | undefined {
  if (values.length < FEWEST) return undefined;
  const sorted = sortedOf(values);
  const median = quantileOfSorted(sorted, 0.5);
  const deviation = quantileOfSorted(distancesFrom(sorted, median), 0.5);
  const reach = OUTLYING * Math.max(TO_STANDARD * deviation, floor ?? Math.abs(median) / 20);
  return { count: values.length, median, deviation, low: median - reach, high: median + reach };
}

/** Median, spread and outliers of numbers. */

/**
 * A quantile, with linear interpolation between neighbours.
 *
 * @param values The numbers, in any order.
 * @param part The share of numbers below it: 0.5 is the median.
 * @returns The quantile, or undefined if there are no numbers.
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
 */
export function spreadOf(values: readonly number[], floor?: number): Spread | undefined {
  if (values.length < FEWEST) return undefined;
  const sorted = sortedOf(values);
  const median = quantileOfSorted(sorted, 0.5);
  const deviation = quantileOfSorted(distancesFrom(sorted, median), 0.5);
  const reach = OUTLYING * Math.max(TO_STANDARD * deviation, floor ?? Math.abs(median) / 20);
  return { count: values.length, median, deviation, low: median - reach, high: median + reach };
}

/**
 * The median distance from the median, times this, is the standard deviation of normally distributed
 * numbers.
 */
export const TO_STANDARD = 1.4826;

/** A sorted copy of numbers. */
export function sortedOf(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort();
}

/**
 * A quantile of sorted numbers, with linear interpolation; `part` is the share of numbers below it.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, part: number): number {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  return below + (above - below) * (place - Math.floor(place));
}

/** The distances of numbers from another number, sorted. */
export function distancesFrom(values: ArrayLike<number>, middle: number): Float64Array {
  return new Float64Array(values).map((value) => Math.abs(value - middle)).sort();
}

/** The index of the first number that is not below another one. */
export function firstFrom(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

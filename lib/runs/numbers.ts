/** Median, spread and outliers of numbers. */

/** A quantile of numbers in any order, interpolated; undefined if there are none. */
export function quantile(values: readonly number[], part: number): number | undefined {
  if (values.length === 0) return undefined;
  return quantileOfSorted(sortedOf(values), part);
}

/** The median of some numbers, and how far from it a number is an outlier. */
export interface Spread {
  readonly count: number;
  readonly median: number;
  readonly deviation: number;
  readonly low: number;
  readonly high: number;
}

/** Fewer numbers than this have no outliers, since nothing is known about what is usual. */
const FEWEST = 8;

/** An outlier is this many scaled deviations from the median. */
const OUTLYING = 3.5;

/** The spread of at least eight numbers, by median absolute deviation; `floor` is the least. */
export function spreadOf(values: readonly number[], floor?: number): Spread | undefined {
  if (values.length < FEWEST) return undefined;
  const sorted = sortedOf(values);
  const median = quantileOfSorted(sorted, 0.5);
  const deviation = quantileOfSorted(distancesFrom(sorted, median), 0.5);
  const reach = OUTLYING * Math.max(TO_STANDARD * deviation, floor ?? Math.abs(median) / 20);
  return { count: values.length, median, deviation, low: median - reach, high: median + reach };
}

/** The median distance, times this, is the standard deviation of normally distributed numbers. */
export const TO_STANDARD = 1.4826;

export function sortedOf(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort();
}

/** A quantile of sorted numbers, interpolated; `part` is the share of numbers below it. */
export function quantileOfSorted(sorted: ArrayLike<number>, part: number): number {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  return below + (above - below) * (place - Math.floor(place));
}

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

/** Quantiles of numbers, and places among sorted ones. */

/** A quantile of numbers in any order, interpolated; undefined if there are none. */
export function quantile(values: readonly number[], part: number): number | undefined {
  if (values.length === 0) return undefined;
  return quantileOfSorted(sortedOf(values), part);
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

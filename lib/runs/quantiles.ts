/** Quantiles of numbers, and binary search. */

/** A quantile of numbers in any order, interpolated; undefined if there are none. */
export function quantile(values: readonly number[], part: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below + (above - below) * (position - Math.floor(position));
}

/** The index of the first of sorted numbers that is at least `value`; their count if none is. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

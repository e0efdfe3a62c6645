/** Sorted numbers, and their quantiles without sorting again. */

/** Insertion sort is faster for fewer numbers than this. */
const FEW = 24;

/**
 * The median distance from the median, times this, is the standard deviation of normally distributed
 * numbers.
 */
export const TO_STANDARD = 1.4826;

/** A sorted copy of numbers. */
export function sortedOf(values: ArrayLike<number>): Float64Array {
  const sorted = new Float64Array(values);
  if (sorted.length >= FEW) return sorted.sort();
  for (let at = 1; at < sorted.length; at++) {
    const value = sorted[at];
    let to = at;
    while (to > 0 && sorted[to - 1] > value) sorted[to] = sorted[--to];
    sorted[to] = value;
  }
  return sorted;
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

/** The distances of sorted numbers from another number, sorted. */
export function distancesFrom(sorted: ArrayLike<number>, middle: number): Float64Array {
  const distances = new Float64Array(sorted.length);
  let above = firstFrom(sorted, middle);
  let below = above - 1;
  for (let at = 0; at < distances.length; at++) {
    const isBelow = above >= sorted.length ||
      below >= 0 && middle - sorted[below] <= sorted[above] - middle;
    distances[at] = isBelow ? middle - sorted[below--] : sorted[above++] - middle;
  }
  return distances;
}

/** Inserts a number into sorted numbers. */
export function addTo(sorted: number[], value: number): void {
  sorted.splice(firstFrom(sorted, value), 0, value);
}

/** Removes a number, which must be there, from sorted numbers. */
export function takeFrom(sorted: number[], value: number): void {
  sorted.splice(firstFrom(sorted, value), 1);
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

/** Numbers in order, and quantiles of them without sorting again. */

/** Fewer numbers than this are sorted sooner one by one. */
const FEW = 24;

/** Numbers in order, as a copy. */
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
 * A quantile of numbers that are in order, with linear interpolation between neighbours; `part` of
 * them lie below it.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, part: number): number {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  return below + (above - below) * (place - Math.floor(place));
}

/** How far numbers that are in order are from one of any size: the distances, in order. */
export function distancesFrom(sorted: ArrayLike<number>, middle: number): Float64Array {
  const distances = new Float64Array(sorted.length);
  let above = placeOf(sorted, middle);
  let below = above - 1;
  for (let at = 0; at < distances.length; at++) {
    const isBelow = above >= sorted.length ||
      below >= 0 && middle - sorted[below] <= sorted[above] - middle;
    distances[at] = isBelow ? middle - sorted[below--] : sorted[above++] - middle;
  }
  return distances;
}

/** Adds a number to numbers that are in order. */
export function addTo(sorted: number[], value: number): void {
  sorted.splice(placeOf(sorted, value), 0, value);
}

/** Takes a number away from numbers that are in order; it is one of them. */
export function takeFrom(sorted: number[], value: number): void {
  sorted.splice(placeOf(sorted, value), 1);
}

/** The place of the first number that is not below another one. */
function placeOf(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Medians, spreads, and how surprising numbers are, in bits. */
import { quantileOfSorted, sortedOf, TO_STANDARD } from "../../runs/numbers.ts";

/** The median of some numbers; NaN if there are none. */
export function medianOf(numbers: readonly number[]): number {
  return numbers.length === 0 ? NaN : quantileOfSorted(sortedOf(numbers), 0.5);
}

/** How far numbers usually are from a level, as a standard deviation. */
export function spreadAround(level: number, numbers: readonly number[]): number {
  return TO_STANDARD * medianOf(numbers.map((number) => Math.abs(number - level)));
}

/** The share of numbers this far above the mean, by Student's t with three degrees of freedom. */
export function tailShare(deviations: number): number {
  const t = deviations / Math.sqrt(3);
  return Math.max(1e-12, 0.5 - (Math.atan(t) + t / (1 + t * t)) / Math.PI);
}

/** The share that `some` of `all` suggest: never 0 or 1, as further ones may differ. */
export function likelyShare(some: number, all: number): number {
  return (some + 0.5) / (all + 1);
}

/** How surprising it is, in bits, that `count` of `total` runs do what a share of all runs does. */
export function surpriseBits(count: number, total: number, share: number): number {
  const others = total - count;
  let ways = 0;
  for (let other = 1; other <= others; other++) ways += Math.log2((count + other) / other);
  return -(ways + count * Math.log2(share) + others * Math.log2(1 - share));
}

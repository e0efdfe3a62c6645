/** How late a run may start and still be on time, judging by how late runs were. */
import { type Candidate, matchTo } from "./cost.ts";

const MINUTE = 60_000;
const LEAST_GRACE = 5 * MINUTE;
/** One run in this many may be later than the grace. */
const ONE_IN = 100;
/** This share of the runs may be late for reasons of their own. */
const OUTLIERS = 0.05;
/** Lateness is uniform if its maximum is at most this many times the mean, or else has a tail. */
const MOST_OF_EVEN = 2.1;
/** With more runs, the maximum of lateness with a tail is further away. */
const MOST_OF_EVEN_OF_MANY = 2.4;
const MANY = 20;
/** Fewer runs don't tell the two apart. */
const FEWEST_EVEN = 12;
/** A run later than this share of the time between slots belongs to no slot. */
const LATEST_PART = 0.95;

/**
 * The grace for runs: the lateness that one run in a hundred exceeds. Milliseconds, in whole
 * minutes.
 */
export function graceOf(candidate: Candidate, times: Float64Array): number {
  const { slots, slotOf } = matchTo(candidate, times);
  const late: number[] = [];
  let shortest = Infinity;
  slotOf.forEach((slot, run) => {
    if (slot < 0) return;
    late.push(Math.max(0, times[run] - slots[slot]));
    if (slot + 1 < slots.length) shortest = Math.min(shortest, slots[slot + 1] - slots[slot]);
  });
  late.sort((a, b) => a - b);
  const later = Math.max(1, Math.floor(late.length / ONE_IN));
  const seen = (late[late.length - 1 - later] ?? 0) * 1.1;
  // Too few runs to see one in a hundred: estimate it from the distribution of lateness.
  const likely = late.length < ONE_IN ? Math.min(lateBy(late), shortest * LATEST_PART) : 0;
  return Math.max(LEAST_GRACE, Math.ceil(Math.max(seen, likely) / MINUTE) * MINUTE);
}

/**
 * The lateness that the next run exceeds with a probability of 1 %, if lateness is uniform or
 * exponential above its minimum. The fewer runs are known, the longer.
 */
function lateBy(late: readonly number[]): number {
  const left = Math.max(1, Math.round(late.length * OUTLIERS));
  const kept = late.slice(0, late.length - left);
  const count = kept.length;
  if (count < 2) return 0;
  const [least, most] = [kept[0], kept[count - 1]];
  const sum = kept.reduce((sum, each) => sum + each - least, 0);
  const even = (count >= MANY ? MOST_OF_EVEN_OF_MANY : MOST_OF_EVEN) * sum / count;
  if (count >= FEWEST_EVEN && most - least < even) {
    // The latest of all is no outlier if it fits in.
    const latest = late[late.length - 1];
    return (latest - least < even ? latest : most) *
      Math.max(1, ONE_IN / (count + 1)) ** (1 / count);
  }
  // Those left out were at least as late as the latest one that was kept.
  const mean = (sum + left * (most - least)) / (count - 1);
  return least + mean * count * (ONE_IN ** (1 / count) - 1);
}

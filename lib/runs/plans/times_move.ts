/** Whether runs meet other slots in the second half of a history than in the first. */
import { type Candidate, matchTo } from "./cost.ts";
import { weekdayOf } from "./cron.ts";

const DAY = 86_400_000;
/** Chance rarely exceeds its average by this many deviations. */
const DEVIATIONS = 4;
/** In fewer days, chance decides which times of day are met, and in fewer weeks, which weekdays. */
const FEWEST_DAYS = 14;
const FEWEST_WEEKS = 8;

/**
 * Whether runs later meet the slots of a plan at other times of day or weekdays than at first, so
 * that it may be two plans.
 */
export function timesMove(candidate: Candidate, times: Float64Array): boolean {
  const { slots, slotOf } = matchTo(candidate, times);
  const met = Float64Array.from(slotOf.filter((slot) => slot >= 0), (slot) => slots[slot]);
  const days = (times[times.length - 1] - times[0]) / DAY;
  if (days < FEWEST_DAYS) return false;
  const local = candidate.read.clock.toLocal(met);
  return isUneven(local, (time) => (time % DAY + DAY) % DAY) ||
    days >= 7 * FEWEST_WEEKS && isUneven(local, (time) => weekdayOf(Math.floor(time / DAY)));
}

/** Pearson's chi-squared of the kinds of slots in both halves. */
function isUneven(moments: Float64Array, kindOf: (moment: number) => number): boolean {
  const half = moments.length >> 1;
  const kinds = new Map<number, [number, number]>();
  moments.forEach((moment, at) => {
    const kind = kindOf(moment);
    const counts = kinds.get(kind);
    if (counts) counts[at < half ? 0 : 1]++;
    else kinds.set(kind, at < half ? [1, 0] : [0, 1]);
  });
  if (kinds.size < 2) return false;
  let sum = 0;
  for (const [first, second] of kinds.values()) sum += (first - second) ** 2 / (first + second);
  const freedom = kinds.size - 1;
  return sum > freedom + DEVIATIONS * Math.sqrt(2 * freedom);
}

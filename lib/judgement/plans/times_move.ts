/** Whether a plan misses some times of day or weekdays again and again, for a part of a history. */
import { type Candidate, matchTo } from "./candidate.ts";
import { weekdayOf } from "./days/due_days.ts";

const DAY = 86_400_000;
/** Chance rarely exceeds its average by this many deviations. */
const DEVIATIONS = 4;

/**
 * Whether gaps begin at certain times of day or weekdays, in the first half of a history or in the
 * second, rather than anywhere: then the plan may be two plans.
 */
export function timesMove(candidate: Candidate, times: Float64Array): boolean {
  const { slots, slotOf } = matchTo(candidate, times);
  const met = slotOf.filter((slot) => slot >= 0);
  const first = met[0];
  const last = met[met.length - 1];
  const local = candidate.read.clock.toLocal(slots.slice(first, last + 1));
  const isMet = new Uint8Array(local.length);
  for (const slot of met) isMet[slot - first] = 1;
  const kinds = [
    (time: number) => (time % DAY + DAY) % DAY,
    (time: number) => weekdayOf(Math.floor(time / DAY)),
  ];
  return kinds.some((kindOf) => isUneven(local, isMet, kindOf));
}

/** Pearson's chi-squared of the kinds of slots at which gaps begin, in both halves. */
function isUneven(
  local: Float64Array,
  isMet: Uint8Array,
  kindOf: (local: number) => number,
): boolean {
  const cells = new Map<number, { slots: number; gaps: number }>();
  let gaps = 0;
  local.forEach((time, slot) => {
    const key = slot * 2 < local.length ? kindOf(time) : -1 - kindOf(time);
    const cell = cells.get(key) ?? { slots: 0, gaps: 0 };
    cells.set(key, cell);
    cell.slots++;
    if (isMet[slot] === 0 && isMet[slot - 1] === 1) {
      cell.gaps++;
      gaps++;
    }
  });
  let sum = 0;
  for (const cell of cells.values()) {
    const expected = cell.slots * gaps / local.length;
    sum += (cell.gaps - expected) ** 2 / expected;
  }
  const freedom = cells.size - 1;
  return sum > freedom + DEVIATIONS * Math.sqrt(2 * freedom);
}

/** Groups planned runs by day, for a calendar. */
import { clockOf } from "../runs/zone_clock.ts";
import { isInPause, type Pause } from "./slots.ts";

const DAY = 86_400_000;
/** Further times on a day are only counted. */
const MAX_TIMES = 3;

export interface PlannedDay {
  /** The first times, in milliseconds since 1970; all of them if there are few. */
  readonly times: readonly number[];
  readonly count: number;
}

/** The planned runs of each day, which is counted since 1970 in a zone; the slots are sorted. */
export function plannedDays(
  slots: readonly number[],
  pauses: readonly Pause[],
  zone: string,
): ReadonlyMap<number, PlannedDay> {
  const days = new Map<number, { times: number[]; count: number }>();
  const local = clockOf(zone).toLocal(slots);
  for (const [index, at] of slots.entries()) {
    const day = Math.floor(local[index] / DAY);
    let due = days.get(day);
    if (!due) days.set(day, due = { times: [], count: 0 });
    if (isInPause(at, pauses)) continue;
    due.count++;
    if (due.count <= MAX_TIMES) due.times.push(at);
  }
  return days;
}

/** The planned runs of each day, as a calendar shows them. */
import { clockOf } from "../runs/zone_clock.ts";
import { isInPause, type Pause } from "./slots.ts";

const DAY = 86_400_000;
/** More times in one day are only counted. */
const MOST_TIMES = 3;

export interface PlannedDay {
  /** The first times, in milliseconds since 1970; all of them if there are few. */
  readonly times: readonly number[];
  readonly count: number;
}

/** The planned runs by day since 1970 in a zone, from sorted times. */
export function plannedDays(
  slots: readonly number[],
  pauses: readonly Pause[],
  zone: string,
): ReadonlyMap<number, PlannedDay> {
  const days = new Map<number, { times: number[]; count: number }>();
  const local = clockOf(zone).toLocal(slots);
  for (const [place, at] of slots.entries()) {
    const day = Math.floor(local[place] / DAY);
    let due = days.get(day);
    if (!due) days.set(day, due = { times: [], count: 0 });
    if (isInPause(at, pauses)) continue;
    due.count++;
    if (due.count <= MOST_TIMES) due.times.push(at);
  }
  return days;
}

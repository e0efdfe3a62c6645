/** Groups planned runs by day, for a calendar. */
import { DAY } from "../time_units.ts";
import { clockOf } from "../zone_clock.ts";
import { isInPause, type Pause } from "./slots.ts";

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
  const local = clockOf(zone).toLocal(slots);
  const days = Map.groupBy(slots, (_, index) => Math.floor(local[index] / DAY));
  return new Map([...days].map(([day, times]) => {
    const due = times.filter((at) => !isInPause(at, pauses));
    return [day, { times: due.slice(0, MAX_TIMES), count: due.length }];
  }));
}

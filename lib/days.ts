import { DAY } from "./time_units.ts";
import { clockOf, momentOf } from "./zone_clock.ts";

/** Returns a function that converts milliseconds since 1970 to a zone's day, as `2026-11-21`. */
export function dayIn(zone: string): (time: number) => string {
  const clock = clockOf(zone);
  return (time) => isoDay(clock.toLocal([time])[0]);
}

/** The first millisecond of a day from 1000 on, as `2026-11-21`, in a zone; undefined for other texts. */
export function startOfDay(day: string, zone: string): number | undefined {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(day)) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Rejects days such as 30 February, which some date parsers read as 2 March.
  const exists = !Number.isNaN(midnight) && isoDay(midnight) === day;
  return exists ? momentOf(midnight, zone) : undefined;
}

/** The day that is `count` days later, or earlier if `count` is negative. */
export function addDays(day: string, count: number): string {
  return isoDay(Date.parse(`${day}T00:00:00Z`) + count * DAY);
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

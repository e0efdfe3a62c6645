import { DAY, MINUTE } from "./time_units.ts";

/** The formatter used last: creating one is slow, and consecutive calls mostly share a zone. */
let latest: { readonly zone: string; readonly format: Intl.DateTimeFormat } | undefined;

/** Returns a function that converts milliseconds since 1970 to a zone's day, as `2026-11-21`. */
export function dayIn(zone: string): (time: number) => string {
  if (zone === "UTC") return (time) => new Date(time).toISOString().slice(0, 10);
  if (latest?.zone !== zone) {
    const options = { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
    latest = { zone, format: new Intl.DateTimeFormat("en-CA", options) };
  }
  const { format } = latest;
  return (time) => format.format(time);
}

/** The first millisecond of a day such as `2026-11-21` in a zone; undefined for other texts. */
export function startOfDay(day: string, zone: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Rejects days such as 30 February, which some date parsers read as 2 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) {
    return undefined;
  }
  if (zone === "UTC") return midnight;
  const dayAt = dayIn(zone);
  // Offsets are at most 14 hours, so the day begins between these two moments.
  return firstMinute(midnight - DAY, midnight + DAY, (time) => dayAt(time) >= day);
}

/** The first minute after `from` at which a condition holds; from then on it must hold. */
export function firstMinute(from: number, to: number, isTrue: (time: number) => boolean): number {
  let [before, after] = [from, to];
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / MINUTE / 2) * MINUTE;
    if (isTrue(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** The day that is `count` days later, or earlier if `count` is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

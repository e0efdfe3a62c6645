/** Date ranges with a name, such as `last-month`, in the days of a zone. */
import { timeText } from "../format.ts";
import { addDays, dayIn, startOfDay } from "../days.ts";

export const DATE_RANGES = [
  "today",
  "yesterday",
  "last-7-days",
  "last-30-days",
  "this-month",
  "last-month",
  "last-quarter",
  "this-year",
  "last-year",
] as const;

export type DateRangeName = typeof DATE_RANGES[number];

/** A range of times: includes its start, excludes its end. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

export function isDateRange(text: string): text is DateRangeName {
  return (DATE_RANGES as readonly string[]).includes(text);
}

/** The times of a range, in UTC. The days that it names are days of the zone, and include today. */
export function dateRange(name: DateRangeName, now: number, zone = "UTC"): TimeRange {
  const today = dayIn(zone)(now);
  const tomorrow = addDays(today, 1);
  switch (name) {
    case "today":
      return daysRange(today, tomorrow, zone);
    case "yesterday":
      return daysRange(addDays(today, -1), today, zone);
    case "last-7-days":
      return daysRange(addDays(today, -6), tomorrow, zone);
    case "last-30-days":
      return daysRange(addDays(today, -29), tomorrow, zone);
    case "this-month":
      return calendarRange(today.slice(0, 7), zone);
    case "last-month":
      return calendarRange(addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7), zone);
    case "last-quarter": {
      const next = quarterStart(today);
      return daysRange(quarterStart(addDays(next, -1)), next, zone);
    }
    case "this-year":
      return calendarRange(today.slice(0, 4), zone);
    case "last-year":
      return calendarRange(addDays(`${today.slice(0, 4)}-01-01`, -1).slice(0, 4), zone);
  }
}

/**
 * The times of a day, month or year in a zone, such as `2026-01-31`, `2026-01` or `2026`; undefined for
 * other texts.
 */
export function parseCalendarRange(text: string, zone = "UTC"): TimeRange | undefined {
  const first = `${text}-01-01`.slice(0, 10);
  if (!/^\d{4}(-\d\d){0,2}$/.test(text) || startOfDay(first, "UTC") === undefined) return undefined;
  return calendarRange(text, zone);
}

/** Whole days; either end may be open. */
export interface CalendarDays {
  /** The first day, such as `2026-01-31`. */
  readonly first?: string;
  readonly last?: string;
}

/** The days of a range of times; undefined if it does not consist of whole ones. */
export function calendarDays(
  { start, end }: Partial<TimeRange>,
  zone = "UTC",
): CalendarDays | undefined {
  const first = start && dayStartingAt(start, zone);
  const next = end && dayStartingAt(end, zone);
  if ((start && !first) || (end && !next)) return undefined;
  return { ...(first ? { first } : {}), ...(next ? { last: addDays(next, -1) } : {}) };
}

function dayStartingAt(moment: string, zone: string): string | undefined {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return undefined;
  const day = dayIn(zone)(time);
  return startOfDay(day, zone) === time ? day : undefined;
}

/**
 * Writes days in the shortest form: `2026`, `2026-01`, `2026-01-31`, `2026-01-05..2026-02-10` or
 * `2026-01-05..`.
 */
export function formatCalendarDays({ first, last }: CalendarDays): string {
  if (first === undefined || last === undefined) return `${first ?? ""}..${last ?? ""}`;
  if (first === last) return first;
  for (const length of [4, 7]) {
    const period: string = first.slice(0, length);
    if (period === last.slice(0, length) && first === `${period}-01-01`.slice(0, 10)) {
      const { end } = calendarRange(period, "UTC");
      if (last === addDays(end.slice(0, 10), -1)) return period;
    }
  }
  return `${first}..${last}`;
}

function calendarRange(text: string, zone: string): TimeRange {
  const first = `${text}-01-01`.slice(0, 10);
  // Any day of the next month or year leads to its first day.
  const next = text.length === 10
    ? addDays(first, 1)
    : text.length === 7
    ? `${addDays(first, 31).slice(0, 7)}-01`
    : `${addDays(first, 366).slice(0, 4)}-01-01`;
  return daysRange(first, next, zone);
}

function quarterStart(day: string): string {
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1;
  return `${day.slice(0, 5)}${String(month).padStart(2, "0")}-01`;
}

function daysRange(first: string, end: string, zone: string): TimeRange {
  return { start: startIn(first, zone), end: startIn(end, zone) };
}

function startIn(day: string, zone: string): string {
  return timeText(startOfDay(day, zone)!);
}

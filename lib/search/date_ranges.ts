/** Named date ranges such as `last-month`, and calendar ranges, in the days of a zone. */
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

/** Makes a test for times, in milliseconds since 1970, in a range, whose ends may be open. */
export function rangeTest({ start, end }: Partial<TimeRange>): (time: number) => boolean {
  const first = start ? Date.parse(start) : -Infinity;
  const after = end ? Date.parse(end) : Infinity;
  return (time) => !Number.isNaN(time) && !(time < first) && !(time >= after);
}

/** The times of a named range, in UTC. Its days are the zone's; `last-7-days` includes today. */
export function dateRange(name: DateRangeName, now: number, zone = "UTC"): TimeRange {
  const today = dayIn(zone)(now);
  const month = Number(today.slice(5, 7)) - 1;
  const day = (count: number) => addDays(today, count);
  const monthStart = (count: number) =>
    new Date(Date.UTC(Number(today.slice(0, 4)), month + count)).toISOString().slice(0, 10);
  const quarter = -(month % 3);
  const bounds: Readonly<Record<DateRangeName, readonly [first: string, end: string]>> = {
    "today": [today, day(1)],
    "yesterday": [day(-1), today],
    "last-7-days": [day(-6), day(1)],
    "last-30-days": [day(-29), day(1)],
    "this-month": [monthStart(0), monthStart(1)],
    "last-month": [monthStart(-1), monthStart(0)],
    "last-quarter": [monthStart(quarter - 3), monthStart(quarter)],
    "this-year": [monthStart(-month), monthStart(12 - month)],
    "last-year": [monthStart(-month - 12), monthStart(-month)],
  };
  return daysRange(...bounds[name], zone);
}

/** The times of `2026-01-31`, `2026-01` or `2026` in a zone; undefined for other texts. */
export function parseCalendarRange(text: string, zone = "UTC"): TimeRange | undefined {
  const first = `${text}-01-01`.slice(0, 10);
  if (!/^\d{4}(-\d\d){0,2}$/.test(text) || startOfDay(first, "UTC") === undefined) return undefined;
  // Any day in the next month or year gives its first day.
  const next = text.length === 10
    ? addDays(first, 1)
    : text.length === 7
    ? `${addDays(first, 31).slice(0, 7)}-01`
    : `${addDays(first, 366).slice(0, 4)}-01-01`;
  return daysRange(first, next, zone);
}

/** Whole days; either end may be open. */
export interface CalendarDays {
  /** The first day, such as `2026-01-31`. */
  readonly first?: string;
  readonly last?: string;
}

/** The days of a range of times; undefined unless it consists of whole days. */
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

/** Writes days in the shortest form: a year, a month, a day, or `2026-01-05..2026-02-10`. */
export function formatCalendarDays({ first, last }: CalendarDays): string {
  if (first === undefined || last === undefined) return `${first ?? ""}..${last ?? ""}`;
  if (first === last) return first;
  for (const length of [4, 7]) {
    const period: string = first.slice(0, length);
    if (period === last.slice(0, length) && first === `${period}-01-01`.slice(0, 10)) {
      const { end } = parseCalendarRange(period)!;
      if (last === addDays(end.slice(0, 10), -1)) return period;
    }
  }
  return `${first}..${last}`;
}

function daysRange(first: string, end: string, zone: string): TimeRange {
  const startIn = (day: string) => timeText(startOfDay(day, zone)!);
  return { start: startIn(first), end: startIn(end) };
}

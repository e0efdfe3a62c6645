/** Ranges of dates as queries write them: `last-month`, `2026-01`, `2026-01-31..2026-03`. */
import { readDateTime } from "../date_times.ts";
import { addDays, dayIn, startOfDay } from "../days.ts";
import { timeText } from "../format.ts";
import type { DateFilter } from "../types.ts";
import { InvalidPart, type QuerySpan } from "./query_parts.ts";

export interface DateOptions {
  /** The current time, in milliseconds since 1970, for ranges such as `last-month`. Default: now. */
  readonly now?: number;
  /** IANA name of the zone in which days begin. Default: UTC. */
  readonly zone?: string;
}

/** Whole days: the first one, and the one after the last. */
type Days = readonly [first: string, next: string];

/** The days of each named range. `day` counts from today, and `month` from the first of this year. */
const RANGES: Readonly<Record<string, (today: Today) => Days>> = {
  "today": ({ day }) => [day(0), day(1)],
  "yesterday": ({ day }) => [day(-1), day(0)],
  "last-7-days": ({ day }) => [day(-6), day(1)],
  "last-30-days": ({ day }) => [day(-29), day(1)],
  "this-month": ({ month, current }) => [month(current), month(current + 1)],
  "last-month": ({ month, current }) => [month(current - 1), month(current)],
  "last-quarter": ({ month, current }) => {
    const quarter = current - current % 3;
    return [month(quarter - 3), month(quarter)];
  },
  "this-year": ({ month }) => [month(0), month(12)],
  "last-year": ({ month }) => [month(-12), month(0)],
};

interface Today {
  readonly day: (count: number) => string;
  readonly month: (count: number) => string;
  /** The current month, from 0. */
  readonly current: number;
}

export const DATE_RANGES: readonly string[] = Object.keys(RANGES);

/** The days of a name, or of `2026-01-31`, `2026-01` or `2026`; undefined for other texts. */
function findDays(text: string, options: DateOptions = {}): Days | undefined {
  if (Object.hasOwn(RANGES, text)) {
    const today = dayIn(options.zone ?? "UTC")(options.now ?? Date.now());
    return RANGES[text]({
      day: (count) => addDays(today, count),
      month: (count) => new Date(Date.UTC(+today.slice(0, 4), count)).toISOString().slice(0, 10),
      current: Number(today.slice(5, 7)) - 1,
    });
  }
  const first = `${text}-01-01`.slice(0, 10);
  // The day after the year 9999 can't be written like others.
  if (!/^(?!9999)\d{4}(-\d\d){0,2}$/.test(text)) return undefined;
  if (startOfDay(first, "UTC") === undefined) return undefined;
  // Any day in the next month or year gives its first day.
  if (text.length === 10) return [first, addDays(first, 1)];
  if (text.length === 7) return [first, `${addDays(first, 31).slice(0, 7)}-01`];
  return [first, `${addDays(first, 366).slice(0, 4)}-01-01`];
}

/** The times of a name, or of a day, month or year; undefined for other texts. */
function findDateRange(
  text: string,
  options: DateOptions = {},
): { readonly start: string; readonly end: string; readonly range: string } | undefined {
  const [start, end] = findDays(text, options)
    ?.map((day) => timeText(startOfDay(day, options.zone ?? "UTC")!)) ?? [];
  return start && end ? { start, end, range: text } : undefined;
}

/** Reads the value of a condition on dates: a range of days, two bounds, or a comparison. */
export function readDates(
  query: string,
  value: QuerySpan,
  options: DateOptions,
): Pick<DateFilter, "start" | "end" | "range"> {
  const text = query.slice(value.start, value.end).replaceAll('"', "");
  const days = findDateRange(text, options);
  if (days) return days;
  const [, sign, compared] = /^([<>]=?)(.+)$/.exec(text) ?? [];
  const isTime = (bound: string) => !sign && readDateTime(bound).issue === undefined;
  const bounds = !sign ? text.split("..") : sign[0] === ">" ? [compared, ""] : ["", compared];
  const [from, to] = bounds.map((bound) =>
    bound === "" || isTime(bound) ? { start: bound, end: bound } : findDateRange(bound, options)
  );
  if (bounds.length !== 2 || !from || !to) {
    const detail = "Write a date such as 2026-01-31, a range such as 2026-01..2026-03 or " +
      `>=2026-01, or one of ${DATE_RANGES.join(", ")}`;
    throw new InvalidPart(value, detail);
  }
  // Both bounds belong to the range, but not the days after > and <.
  const start = sign === ">" ? from.end : from.start;
  const end = sign === "<" ? to.start : to.end;
  if (start && end && Date.parse(start) > Date.parse(end)) {
    throw new InvalidPart(value, `${bounds[0]} is after ${bounds[1]}`);
  }
  const range = text !== ".." && !bounds.some(isTime) && text;
  return { ...start && { start }, ...end && { end }, ...range && { range } };
}

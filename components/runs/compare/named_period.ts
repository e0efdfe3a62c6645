/** Periods by name, such as `last-month`, or by two days. */
import { addDays, dayIn, startOfDay } from "../../../lib/days.ts";
import type { Period } from "../../../lib/runs/period.ts";

export const PERIOD_NAMES = {
  "this-week": "this week",
  "last-week": "last week",
  "this-month": "this month",
  "last-month": "last month",
  "last-7-days": "the last 7 days",
  "previous-7-days": "the 7 days before",
  "last-30-days": "the last 30 days",
  "previous-30-days": "the 30 days before",
} as const;

export interface NamedPeriod extends Period {
  readonly first: string;
  readonly last: string;
}

/** Reads a period. Returns what is wrong with the text if it is not one. */
export function readPeriod(
  text: string,
  { now, zone }: { readonly now: number; readonly zone: string },
): NamedPeriod | string {
  const days = daysOf(text, dayIn(zone)(now));
  if (typeof days === "string") return days;
  const [first, last] = days;
  const start = startOfDay(first, zone)!;
  return { first, last, start, end: startOfDay(addDays(last, 1), zone)! };
}

type Days = readonly [first: string, last: string];

function daysOf(text: string, today: string): Days | string {
  const named: Readonly<Record<string, Days>> = daysByName(today);
  if (Object.hasOwn(named, text)) return named[text];
  const [first, last = first, ...more] = text.split("..").map((part) => part.trim());
  const isDay = (day: string) => startOfDay(day, "UTC") !== undefined;
  if (more.length > 0 || !isDay(first) || !isDay(last)) {
    return `must be two days such as 2026-01-01..2026-01-31, or one of ${
      Object.keys(PERIOD_NAMES).join(", ")
    }`;
  }
  return first <= last ? [first, last] : "must not end before it begins";
}

function daysByName(today: string): Readonly<Record<keyof typeof PERIOD_NAMES, Days>> {
  // Monday is 0.
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(today, -weekday);
  const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
  const month = monthOf(today);
  const before = addDays(month, -1);
  return {
    "this-week": [monday, addDays(monday, 6)],
    "last-week": [addDays(monday, -7), addDays(monday, -1)],
    "this-month": [month, addDays(monthOf(addDays(month, 31)), -1)],
    "last-month": [monthOf(before), before],
    "last-7-days": [addDays(today, -6), today],
    "previous-7-days": [addDays(today, -13), addDays(today, -7)],
    "last-30-days": [addDays(today, -29), today],
    "previous-30-days": [addDays(today, -59), addDays(today, -30)],
  };
}

/** Cron expressions for days that move to a business day, and for nth business days. */
import { groupBy } from "../../group_by.ts";

/** The latest day that always stays in its month when it is moved forward. */
const LAST_MOVED_ON = 26;
/** The earliest day that always stays in its month when it is moved back. */
const FIRST_MOVED_BACK = 3;
export const MAX_BUSINESS_DAYS = 20;
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

/** Days of the month, or the next Monday if on a weekend; empty if cron can't express that. */
export function movedOn(days: readonly number[]): string[] {
  if (days.some((day) => day > LAST_MOVED_ON)) return [];
  const mondays = listDays(days.flatMap((day) => [day + 1, day + 2]));
  return [`${listDays(days)} * +1-5`, `${mondays} * +1`];
}

/** Days of the month, or the Friday before if on a weekend; empty if cron can't express that. */
export function movedBack(days: readonly number[]): string[] {
  if (days.some((day) => day < FIRST_MOVED_BACK)) return [];
  const fridays = listDays(days.flatMap((day) => [day - 1, day - 2]));
  return [`${listDays(days)} * +1-5`, `${fridays} * +5`];
}

/** The nth business day of each month; its date depends on the month's first weekday. */
export function nthBusinessDay(n: number): string[] {
  if (n < 2 || n > MAX_BUSINESS_DAYS) return [];
  // The nth business day of a month that begins on each weekday.
  const all = WEEKDAYS.map((first) => {
    let day = 0;
    for (let left = n; left > 0;) if (isBusiness((first + day++) % 7)) left--;
    return { day, weekday: (first + day - 1) % 7 };
  });
  const byDay = groupBy(all, ({ day }) => day);
  const byWeekdays = groupBy(byDay.keys(), (day) => {
    const weekdays = byDay.get(day)!.map(({ weekday }) => weekday);
    return weekdays.length === 5 ? "1-5" : listDays(weekdays);
  });
  return [...byWeekdays].map(([weekdays, days]) => `${listDays(days)} * +${weekdays}`);
}

export function businessDayOf(ofMonth: number, weekday: number): number {
  // How many of a weekday the month has had.
  const countWeekdays = (day: number) =>
    Math.ceil(Math.max(0, ofMonth - (weekday - day + 7) % 7) / 7);
  return ofMonth - countWeekdays(6) - countWeekdays(0);
}

function isBusiness(weekday: number): boolean {
  return weekday !== 0 && weekday !== 6;
}

function listDays(numbers: readonly number[]): string {
  return [...new Set(numbers)].sort((a, b) => a - b).join();
}

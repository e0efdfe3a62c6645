/** Rules for days on which a schedule may run, and the days on which they are due. */
import { DAY } from "../../time_units.ts";
import { type DayRule, LAST_IN_MONTH, readCron } from "./cron.ts";

export interface DayChoice {
  /** Day of the month, month and weekday, as in cron; any of them is due. */
  readonly fields: readonly string[];
  readonly rules: readonly DayRule[];
  readonly weeks: { readonly n: number; readonly rest: number } | null;
  readonly bits: number;
}

export function toChoice(
  fields: string | readonly string[],
  bits: number,
  weeks: DayChoice["weeks"] = null,
): DayChoice {
  const all = typeof fields === "string" ? [fields] : fields;
  const rules = all.map((each) => readCron(`0 0 ${each}`).days);
  return { fields: all, rules, weeks, bits };
}

/** For each day (since 1970) from `from` through `through`, 1 if a rule is due on it, else 0. */
export function dueDays(rule: DayRule, from: number, through: number): Uint8Array {
  const due = new Uint8Array(Math.max(0, through - from + 1));
  let day = from;
  while (day <= through) {
    const date = new Date(day * DAY);
    const first = day - date.getUTCDate() + 1;
    const month = date.getUTCMonth();
    const length = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
    const end = Math.min(through, first + length - 1);
    if (rule.months >> (month + 1) & 1) {
      const special = specialDays(rule, first, length);
      for (; day <= end; day++) {
        if (isDueDay(rule, day - first + 1, day, length, special)) due[day - from] = 1;
      }
    }
    day = end + 1;
  }
  return due;
}

function isDueDay(
  rule: DayRule,
  ofMonth: number,
  day: number,
  length: number,
  special: number,
): boolean {
  const byDay = rule.days !== null && ((rule.days | special) >> ofMonth & 1) === 1;
  if (rule.weekdays === null) return rule.days === null || byDay;
  const which = rule.weekdays[weekdayOf(day)];
  const nth = Math.floor((ofMonth - 1) / 7) + 1;
  const byWeekday = (which >> nth & 1) === 1 ||
    (which >> LAST_IN_MONTH & 1) === 1 && ofMonth > length - 7;
  // As in cron, a day that matches either of two restrictions is due; with a plus, it needs both.
  return rule.both && rule.days !== null ? byDay && byWeekday : byDay || byWeekday;
}

/** The days of a rule whose dates depend on the month, as a bit set. */
function specialDays(rule: DayRule, first: number, length: number): number {
  let bits = 0;
  if (rule.lastDay) bits |= 1 << length;
  if (rule.lastBusinessDay) bits |= 1 << lastBusinessDay(first, length);
  for (const day of rule.nearestBusinessDays) {
    if (day > length) continue;
    const weekday = weekdayOf(first + day - 1);
    const nearest = weekday === 6
      ? day === 1 ? 3 : day - 1
      : weekday === 0
      ? day === length ? day - 2 : day + 1
      : day;
    bits |= 1 << nearest;
  }
  return bits;
}

function lastBusinessDay(first: number, length: number): number {
  const weekday = weekdayOf(first + length - 1);
  return length - (weekday === 6 ? 1 : weekday === 0 ? 2 : 0);
}

/** The weekday of a day (in days since 1970): 0 for Sunday through 6 for Saturday. */
export function weekdayOf(day: number): number {
  return ((day + 4) % 7 + 7) % 7;
}

export function weekdayAt(local: number): number {
  return weekdayOf(Math.floor(local / DAY));
}

/** The number of a day's week (the day in days since 1970); it grows by one each Monday. */
export function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

/** The Monday from which every nth week is counted, such as `2026-01-05`. */
export function weekStart(
  weeks: { readonly n: number; readonly rest: number },
  time: number,
): string {
  const week = weekOf(Math.floor(time / DAY));
  const on = week - ((week - weeks.rest) % weeks.n + weeks.n) % weeks.n;
  return new Date((on * 7 - 3) * DAY).toISOString().slice(0, 10);
}

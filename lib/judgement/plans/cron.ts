/** Reads cron expressions into rules for the minutes of the day and for days. */
import { cachedIn } from "../../cached.ts";

export interface CronRule {
  /** Minutes of the day, in order. */
  readonly minutes: readonly number[];
  /** Whether minute and hour are single values: clock changes neither skip nor repeat these. */
  readonly isFixed: boolean;
  readonly days: DayRule;
}

/** Days on which an expression is due. Sets of numbers are bit sets. */
export interface DayRule {
  readonly months: number;
  /** Days of the month, or null for any. */
  readonly days: number | null;
  readonly lastDay: boolean;
  readonly lastBusinessDay: boolean;
  /** Days of the month; the business day nearest to each is due. */
  readonly nearestBusinessDays: readonly number[];
  /** For each weekday from Sunday, which ones of the month, bit 6 for the last; null for any. */
  readonly weekdays: readonly number[] | null;
  /** Whether both the day of the month and the weekday have to match; otherwise one is enough. */
  readonly both: boolean;
}

/** All days of a weekday in a month, as bits of {@linkcode DayRule.weekdays}. */
export const ANY_IN_MONTH = 0b1111110;
export const EVERY_MONTH = 0b1111111111110;
export const LAST_IN_MONTH = 6;

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** What else it may have. */
  readonly more?: string;
  /** Names of the values, the first for 0 or 1. */
  readonly names?: readonly string[];
}

const MINUTE_FIELD: Field = { name: "minute", least: 0, most: 59 };
const HOUR_FIELD: Field = { name: "hour", least: 0, most: 23 };
const DAY_FIELD: Field = { name: "day of the month", least: 1, most: 31, more: ", L, LW, 15W" };
const MONTH_FIELD: Field = {
  name: "month",
  least: 1,
  most: 12,
  names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
};
const WEEKDAY_FIELD: Field = {
  name: "day of the week",
  least: 0,
  most: 7,
  more: " (0 and 7 are Sunday), 1#2, 5L",
  names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
};

/** How many parsed expressions are cached, because plans are read whenever a schedule is judged. */
const MAX_CACHED = 5000;

let cache: Map<string, CronRule> | undefined;

/** Reads a cron expression of five fields. Throws a RangeError that says what can't be read. */
export function readCron(expression: string): CronRule {
  cache ??= new Map();
  return cachedIn(cache, MAX_CACHED, expression, parseCron);
}

function parseCron(expression: string): CronRule {
  const fields = expression.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 5) {
    throw new RangeError(
      "it must have five fields: minute, hour, day of month, month and day of week",
    );
  }
  const [minute, hour, day, month, weekday] = fields;
  return {
    ...readTimes(minute, hour),
    days: {
      months: toBitSet(readCronNumbers(month, MONTH_FIELD)),
      ...readCronDays(day),
      weekdays: readWeekdays(weekday.replace(/^\+/, "")),
      both: weekday.startsWith("+"),
    },
  };
}

export function readTimes(minuteField: string, hourField: string): Omit<CronRule, "days"> {
  const minutes = readCronNumbers(minuteField, MINUTE_FIELD);
  const hours = readCronNumbers(hourField, HOUR_FIELD);
  return {
    minutes: hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)),
    isFixed: /^\d+$/.test(minuteField) && /^\d+$/.test(hourField),
  };
}

function readCronDays(
  field: string,
): Pick<DayRule, "days" | "lastDay" | "lastBusinessDay" | "nearestBusinessDays"> {
  const parts = field.split(",");
  const nearest = parts.filter((part) => /^\d+W$/.test(part)).map((part) => part.slice(0, -1));
  const plain = parts.filter((part) => part !== "L" && part !== "LW" && !/^\d+W$/.test(part));
  return {
    days: isAny(field) ? null : toBitSet(plain.flatMap((part) => readCronNumbers(part, DAY_FIELD))),
    lastDay: parts.includes("L"),
    lastBusinessDay: parts.includes("LW"),
    nearestBusinessDays: nearest.flatMap((part) => readCronNumbers(part, DAY_FIELD)),
  };
}

function readWeekdays(field: string): number[] | null {
  if (isAny(field)) return null;
  const weekdays = new Array<number>(7).fill(0);
  for (const part of field.split(",")) {
    const [, days, hash, last] = /^(.*?)(?:#([1-5L])|(L))?$/.exec(part)!;
    const nth = hash ?? last;
    const which = nth ? 1 << (nth === "L" ? LAST_IN_MONTH : Number(nth)) : ANY_IN_MONTH;
    // Both 0 and 7 are Sunday.
    for (const day of readCronNumbers(days, WEEKDAY_FIELD)) weekdays[day % 7] |= which;
  }
  return weekdays;
}

function isAny(field: string): boolean {
  return field === "*" || field === "?";
}

/** The numbers of a field of lists, ranges and steps, sorted. */
function readCronNumbers(text: string, field: Field): number[] {
  const numbers = new Set(text.split(",").flatMap((entry) => readCronEntry(entry, field)));
  return [...numbers].sort((a, b) => a - b);
}

function readCronEntry(entry: string, field: Field): number[] {
  const [, any, from = "", to, step] = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(entry) ??
    [];
  const { name, least, most, more = "", names = [] } = field;
  const read = (text: string) =>
    names.includes(text) ? names.indexOf(text) + least : /^\d+$/.test(text) ? Number(text) : NaN;
  const low = any ? least : read(from);
  // At the end of a range, Sunday is the last day of the week.
  const end = to === "SUN" && field === WEEKDAY_FIELD ? 7 : read(to ?? from);
  const high = any ? most : end;
  const isStep = step === undefined ||
    (any || to) && Number(step) > 0 && Number(step) <= (names.length || most - least + 1);
  if (!(low >= least && low <= high && high <= most && isStep)) {
    const some = `a list, a range such as ${least}-${most} or a step such as */2`;
    throw new RangeError(`the ${name} is ${least} to ${most}${more}, ${some}, not "${entry}"`);
  }
  const numbers: number[] = [];
  for (let number = low; number <= high; number += Number(step ?? 1)) numbers.push(number);
  return numbers;
}

function toBitSet(numbers: readonly number[]): number {
  return numbers.reduce((bits, number) => bits | 1 << number, 0);
}

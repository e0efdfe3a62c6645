/**
 * What a cron expression means, field by field, for arithmetic on days. croner decides what is
 * valid; a property test checks that both give the same times.
 */

const DAY = 86_400_000;

/** When an expression is due. */
export interface CronRule {
  /** Minutes of the day, in order. */
  readonly minutes: readonly number[];
  /** Whether minute and hour are single values: clock changes neither skip nor repeat these. */
  readonly isFixed: boolean;
  /** On which days. */
  readonly days: DayRule;
}

/** Days on which an expression is due. A set of small numbers is a number with these bits set. */
export interface DayRule {
  readonly months: number;
  /** Days of the month, or null for any. */
  readonly days: number | null;
  readonly lastDay: boolean;
  readonly lastBusinessDay: boolean;
  /** Days of the month that stand for the nearest business day. */
  readonly nearestBusinessDays: readonly number[];
  /** For each weekday from Sunday, which ones of the month, bit 6 for the last; null for any. */
  readonly weekdays: readonly number[] | null;
  /** Whether a day has to be both of the month's and of the week's; else either is due. */
  readonly both: boolean;
}

const ANY_IN_MONTH = 0b1111110;
const EVERY_MONTH = 0b1111111111110;
const LAST_IN_MONTH = 6;
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Reads a cron expression of five fields that croner has accepted. */
export function readCron(expression: string): CronRule {
  const fields = (NICKNAMES[expression.trim().toLowerCase()] ?? expression).trim().split(/\s+/);
  const [minuteField, hourField, dayField, monthField, weekdayField] = fields;
  return {
    ...readTimes(minuteField, hourField),
    days: {
      months: bitsOf(readNumbers(namesToNumbers(monthField, MONTHS, 1), 1, 12)),
      ...readDays(dayField.toUpperCase()),
      weekdays: readWeekdays(namesToNumbers(weekdayField.replace(/^\+/, ""), WEEKDAYS, 0)),
      both: weekdayField.startsWith("+"),
    },
  };
}

/** Reads the minute and hour fields: the minutes of the day, and whether there is only one. */
export function readTimes(minuteField: string, hourField: string): Omit<CronRule, "days"> {
  const minutes = readNumbers(minuteField, 0, 59);
  const hours = readNumbers(hourField, 0, 23);
  return {
    minutes: hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)),
    isFixed: isOneValue(minuteField) && isOneValue(hourField),
  };
}

/**
 * For each day from `from` through `through` (in days since 1970), 1 if a rule is due on it, else
 * 0.
 */
export function dueDays(rule: DayRule, from: number, through: number): Uint8Array {
  const due = new Uint8Array(Math.max(0, through - from + 1));
  if (rule.days === null && rule.weekdays === null && rule.months === EVERY_MONTH) {
    return due.fill(1);
  }
  const { weekdays } = rule;
  if (
    rule.days === null && rule.months === EVERY_MONTH &&
    weekdays!.every((which) => which === 0 || which === ANY_IN_MONTH)
  ) {
    for (let day = from; day <= through; day++) {
      if (weekdays![weekdayOf(day)] !== 0) due[day - from] = 1;
    }
    return due;
  }
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
        if (isDue(rule, day - first + 1, day, length, special)) due[day - from] = 1;
      }
    }
    day = end + 1;
  }
  return due;
}

function isDue(
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
  // As in cron: if both are restricted, a day that matches either is due. A plus asks for both.
  return rule.both && rule.days !== null ? byDay && byWeekday : byDay || byWeekday;
}

/** Days of a month that depend on the month. */
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

/** The number of a day's week (the day in days since 1970); it grows by one each Monday. */
export function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

function isOneValue(field: string): boolean {
  return /^\d+$/.test(field);
}

function bitsOf(numbers: readonly number[]): number {
  return numbers.reduce((bits, number) => bits | 1 << number, 0);
}

function readDays(
  field: string,
): Pick<DayRule, "days" | "lastDay" | "lastBusinessDay" | "nearestBusinessDays"> {
  if (field === "*" || field === "?") {
    return { days: null, lastDay: false, lastBusinessDay: false, nearestBusinessDays: [] };
  }
  const parts = field.split(",");
  const plain = parts.filter((part) => !/[LW]/.test(part));
  return {
    days: plain.length > 0 ? bitsOf(readNumbers(plain.join(","), 1, 31)) : 0,
    lastDay: parts.includes("L"),
    lastBusinessDay: parts.includes("LW"),
    nearestBusinessDays: parts.flatMap((part) => /^\d+W$/.test(part) ? parseInt(part) : []),
  };
}

function readWeekdays(field: string): number[] | null {
  if (field === "*" || field === "?") return null;
  const weekdays = new Array<number>(7).fill(0);
  for (const part of field.split(",")) {
    const [, days, hash, last] = /^([^#L]+)(?:#(\d|L))?(L)?$/.exec(part)!;
    const which = hash === "L" || last
      ? 1 << LAST_IN_MONTH
      : hash
      ? 1 << Number(hash)
      : ANY_IN_MONTH;
    // 7 is Sunday too.
    for (const day of readNumbers(days, 0, 7)) weekdays[day % 7] |= which & ~1;
  }
  return weekdays;
}

function namesToNumbers(field: string, names: readonly string[], first: number): string {
  return names.reduce(
    (text, name, at) => text.replaceAll(name, String(at + first)),
    field.toUpperCase(),
  );
}

/** The numbers of a field of lists, ranges and steps, sorted. */
function readNumbers(field: string, least: number, most: number): number[] {
  const numbers = new Set<number>();
  for (const part of field.split(",")) {
    const [range, step] = part.split("/");
    const [low, high = low] = range === "*" || range === "?"
      ? [least, most]
      : range.split("-").map(Number);
    for (let number = low; number <= high; number += Number(step ?? 1)) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}

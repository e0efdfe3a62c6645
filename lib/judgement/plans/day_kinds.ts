/** Proposes the days on which a schedule may be due, from the days on which it ran. */
import { DAY } from "../../time_units.ts";
import { businessDayOf, movedBack, movedOn, nthBusinessDay } from "./business_days.ts";
import { toRanges } from "./cron_text.ts";
import { type DayChoice, dueDays, toChoice, weekdayOf, weekOf } from "./due_days.ts";
import * as numbers from "./numbers.ts";

/** A day, with what rules name it by. */
interface NamedDay {
  readonly weekday: number;
  readonly week: number;
  readonly date: number;
  /** Months since the year 0: January 2026 is 2026 * 12 = 24312. */
  readonly month: number;
  /** How many days this month has. */
  readonly length: number;
}

/** A kind of rule for days, such as nth weekdays. */
interface DayKind {
  /** The names that a day has by this rule, such as `1#2` and `1#L`. */
  readonly toNames: (day: NamedDay) => readonly string[];
  /** The day fields of cron for some names; empty if cron can't express them. */
  readonly toFields: (names: readonly string[]) => readonly string[];
  readonly toBits: (names: readonly string[]) => number;
  readonly maxNames: number;
  /** The cycles that it may have are of so many of these. */
  readonly unit: "week" | "month";
}

/** The second Monday is `1#2`; the last one is also `1#L`. */
function nthWeekday({ date, weekday, length }: NamedDay): string[] {
  const nth = `${weekday}#${Math.ceil(date / 7)}`;
  return date > length - 7 ? [nth, `${weekday}#L`] : [nth];
}

/** The dates that a day stands for if dates at a weekend move to the Monday after it. */
function datesMovedOn({ date, weekday }: NamedDay): string[] {
  return (weekday === 1 ? [date, date - 1, date - 2] : [date]).filter((each) => each > 0)
    .map(String);
}

/** The same for the Friday before. */
function datesMovedBack({ date, weekday }: NamedDay): string[] {
  return (weekday === 5 ? [date, date + 1, date + 2] : [date]).filter((each) => each < 32)
    .map(String);
}

function businessDay(day: NamedDay): string[] {
  if (day.weekday === 0 || day.weekday === 6) return [];
  const left = day.length - day.date;
  const isLast = left === 0 || day.weekday === 5 && left < 3;
  return [String(businessDayOf(day.date, day.weekday)), ...isLast ? ["L"] : []];
}

function toNumbers(names: readonly string[]): number[] {
  return names.map(Number).sort((a, b) => a - b);
}

const WORKDAYS = ["1", "2", "3", "4", "5"];

function weekdaysBits(weekdays: readonly string[]): number {
  const { workdays, one, others } = numbers.WEEKDAYS_BITS;
  if (weekdays.length === 1) return one;
  return weekdays.toSorted().join() === WORKDAYS.join() ? workdays : others;
}

/** Weekdays with Sunday as 7 if it follows Saturday, so that they form a range. */
function weekdayFields(names: readonly string[]): string[] {
  const isRow = names.includes("0") && names.includes("6");
  return [`* * ${toRanges(toNumbers(names.map((name) => isRow && name === "0" ? "7" : name)))}`];
}

function monthly({ bits, maxNames }: { readonly bits: number; readonly maxNames: number }) {
  const toBits = (names: readonly string[]) =>
    names.length === 1 ? bits : names.length * numbers.SEVERAL_NAMES_BITS;
  return { toBits, maxNames, unit: "month" } as const;
}

/** All kinds, cheapest first. */
const KINDS: readonly DayKind[] = [
  {
    toNames: ({ weekday }) => [String(weekday)],
    toFields: weekdayFields,
    toBits: weekdaysBits,
    maxNames: 6,
    unit: "week",
  },
  {
    toNames: ({ date, length }) => date === length ? [String(date), "L"] : [String(date)],
    toFields: (names) => {
      const days = toNumbers(names.filter((name) => name !== "L"));
      return [`${[...days, ...names.filter((name) => name === "L")].join()} * *`];
    },
    ...monthly(numbers.MONTH_KINDS.dates),
  },
  {
    toNames: businessDay,
    toFields: ([name]) =>
      name === "L" ? ["LW * *"] : name === "1" ? ["1W * *"] : nthBusinessDay(Number(name)),
    ...monthly(numbers.MONTH_KINDS.businessDays),
  },
  {
    toNames: nthWeekday,
    toFields: (names) => [`* * ${names.join()}`],
    ...monthly(numbers.MONTH_KINDS.nthWeekdays),
  },
  {
    toNames: datesMovedOn,
    toFields: (names) => movedOn(toNumbers(names)),
    ...monthly(numbers.MONTH_KINDS.movedOn),
  },
  {
    toNames: datesMovedBack,
    toFields: (names) => movedBack(toNumbers(names)),
    ...monthly(numbers.MONTH_KINDS.movedBack),
  },
];

/** On average, a month has 365.25 / 12 days. */
const UNIT_DAYS = { week: 7, month: 30.44 };

/** The choices that best fit sorted days on which something ran `times` a day, best first. */
export function bestDays(
  days: readonly number[],
  from: number,
  through: number,
  times: number,
): DayChoice[] {
  const named = days.map(nameDay);
  const ran = new Uint8Array(through - from + 1);
  for (const day of days) ran[day - from] = 1;
  const kinds = ran.length > numbers.MONTH_RULES_FROM_DAYS ? KINDS : KINDS.slice(0, 1);
  const everyDay = toChoice("* * *", numbers.WEEKDAYS_BITS.all);
  return [everyDay, ...kinds.flatMap((kind) => [...choicesOf(kind, named, ran.length)])]
    .map((choice) => ({ choice, bits: roughBits(choice, ran, from, times) }))
    .sort((a, b) => a.bits - b.bits)
    .slice(0, numbers.RANKED_DAYS)
    .map(({ choice }) => choice);
}

function nameDay(day: number): NamedDay {
  const time = new Date(day * DAY);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return {
    weekday: weekdayOf(day),
    week: weekOf(day),
    date: time.getUTCDate(),
    month: year * 12 + month,
    length: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
}

/**
 * The phase of a cycle that most of some weeks or months have, or null if they have several. Every
 * 2 weeks, the weeks 2922, 2924, 2926 -> 0, and 2922, 2923, 2924 -> null.
 */
function findPhase(counted: readonly number[], n: number): number | null {
  const counts = new Array<number>(n).fill(0);
  for (const each of counted) counts[each % n]++;
  const most = Math.max(...counts);
  return most < numbers.IN_PHASE * counted.length ? null : counts.indexOf(most);
}

/** Rules of one kind with the most common names, in each week or month, and in every nth. */
function* choicesOf(
  { toNames, toFields, toBits, maxNames, unit }: DayKind,
  days: readonly NamedDay[],
  span: number,
): Generator<DayChoice> {
  const counts = new Map<string, number>();
  for (const name of days.flatMap(toNames)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1])
    .filter(([, count]) => unit === "week" || count >= numbers.NAME_SHARE * days.length)
    .map(([name]) => name);
  const alone = common.map((name) => [name]);
  const together = common.slice(0, maxNames).map((_, at) => common.slice(0, at + 1)).slice(1);
  for (const names of [...unit === "week" ? [WORKDAYS] : [], ...alone, ...together]) {
    const fields = toFields(names);
    if (fields.length === 0) continue;
    const bits = toBits(names);
    yield toChoice(fields, bits);
    const units = days.filter((day) => toNames(day).some((name) => names.includes(name)))
      .map((day) => day[unit]);
    for (const n of numbers.CYCLES[unit]) {
      const phase = findPhase(units, n);
      // A cycle shows only when it has come twice.
      if (span <= 2 * UNIT_DAYS[unit] * n || phase === null) continue;
      const list = Array.from({ length: 12 / n }, (_, at) => phase + at * n + 1).join();
      yield unit === "week"
        ? toChoice(fields, bits + numbers.CYCLE_BITS, { n, rest: phase })
        : toChoice(
          fields.map((each) => each.replace(" * ", ` ${list} `)),
          bits + numbers.CYCLE_BITS,
        );
    }
  }
}

/**
 * Roughly the bits of a choice and of the days, to rank choices. Runs on weekdays from 5 January
 * 2026, a Monday, through the 16th, but not on the 14th: `* * 1-5` -> 8.2, `* * *` -> 13.3, and
 * `* * 1-4` -> 29.8.
 */
function roughBits(choice: DayChoice, ran: Uint8Array, from: number, times: number): number {
  const due = new Uint8Array(ran.length);
  for (const rule of choice.rules) {
    dueDays(rule, from, from + ran.length - 1).forEach((is, at) => due[at] |= is);
  }
  const { weeks } = choice;
  let [hits, gaps, misses, strays, isInGap] = [0, 0, 0, 0, false];
  for (let at = 0; at < due.length; at++) {
    const isDue = due[at] === 1 &&
      (weeks === null || (weekOf(from + at) - weeks.rest) % weeks.n === 0);
    if (!isDue) strays += ran[at];
    else if (ran[at] === 1) {
      hits++;
      isInGap = false;
    } else if (hits > 0) {
      misses++;
      if (!isInGap) gaps++;
      isInGap = true;
    }
  }
  return choice.bits + strays * numbers.STRAY_BITS + countBits(gaps, hits * times) +
    countBits(gaps, Math.max(0, misses * times - gaps)) + gaps;
}

/** Bits of some events among others, including their share. */
function countBits(some: number, others: number): number {
  const share = (some + 0.5) / (some + others + 1);
  return -some * Math.log2(share) - others * Math.log2(1 - share);
}

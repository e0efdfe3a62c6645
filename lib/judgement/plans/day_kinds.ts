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
  /** See `MONTH_KINDS` of the numbers. */
  readonly bits: number;
  readonly maxNames: number;
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

/** Kinds of rules by month, cheapest first. */
const MONTH_KINDS: readonly DayKind[] = [
  {
    toNames: ({ date, length }) => date === length ? [String(date), "L"] : [String(date)],
    toFields: (names) => {
      const days = toNumbers(names.filter((name) => name !== "L"));
      return [`${[...days, ...names.filter((name) => name === "L")].join()} * *`];
    },
    ...numbers.MONTH_KINDS.dates,
  },
  {
    toNames: businessDay,
    toFields: ([name]) =>
      name === "L" ? ["LW * *"] : name === "1" ? ["1W * *"] : nthBusinessDay(Number(name)),
    ...numbers.MONTH_KINDS.businessDays,
  },
  {
    toNames: nthWeekday,
    toFields: (names) => [`* * ${names.join()}`],
    ...numbers.MONTH_KINDS.nthWeekdays,
  },
  {
    toNames: datesMovedOn,
    toFields: (names) => names.join() === "1" ? [] : movedOn(toNumbers(names)),
    ...numbers.MONTH_KINDS.movedOn,
  },
  {
    toNames: datesMovedBack,
    toFields: (names) => movedBack(toNumbers(names)),
    ...numbers.MONTH_KINDS.movedBack,
  },
];

/** On average: 365.25 / 12. */
const MONTH_DAYS = 30.44;

/** The choices that best fit sorted days on which something ran `times` a day, best first. */
export function bestDays(
  days: readonly number[],
  from: number,
  through: number,
  times: number,
): DayChoice[] {
  const named = days.map(nameDay);
  const choices = [...weekChoices(named, from, through)];
  const span = through - from + 1;
  if (span > numbers.MONTH_RULES_FROM_DAYS) {
    choices.push(...monthChoices(named, MONTH_DAYS * days.length / span));
  }
  const ran = new Uint8Array(through - from + 1);
  for (const day of days) ran[day - from] = 1;
  return choices.map((choice) => ({ choice, bits: roughBits(choice, ran, from, times) }))
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

/** Every day, Monday to Friday, and sets of weekdays, also every few weeks. */
function* weekChoices(
  days: readonly NamedDay[],
  from: number,
  through: number,
): Generator<DayChoice> {
  const { all, workdays: workdaysBits, one, others } = numbers.WEEKDAYS_BITS;
  yield toChoice("* * *", all);
  const workdays = "1,2,3,4,5";
  const counts = new Map([...countNames(days, ({ weekday }) => [String(weekday)])]);
  const order = [...counts].sort((a, b) => b[1] - a[1]).map(([weekday]) => Number(weekday));
  const sets = order.map((_, at) => order.slice(0, at + 1).sort((a, b) => a - b).join());
  for (const set of new Set([...sets, workdays])) {
    const weekdays = set.split(",").map(Number);
    if (weekdays.length === 7) continue;
    const bits = set === workdays ? workdaysBits : weekdays.length === 1 ? one : others;
    const fields = `* * ${toRanges(fromMonday(weekdays))}`;
    yield toChoice(fields, bits);
    const weeks = days.filter(({ weekday }) => weekdays.includes(weekday)).map(({ week }) => week);
    for (const n of numbers.WEEK_CYCLES) {
      const phase = findPhase(weeks, n);
      // A cycle shows only when it has come twice.
      if (through - from < 2 * 7 * n || phase === null) continue;
      yield toChoice(fields, bits + numbers.CYCLE_BITS, { n, rest: phase });
    }
  }
}

/** Weekdays with Sunday as 7 if it follows Saturday, so that they form a range. */
function fromMonday(set: readonly number[]): number[] {
  return set.includes(0) && set.includes(6) ? [...set.filter((day) => day !== 0), 7] : [...set];
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

function* monthChoices(days: readonly NamedDay[], aMonth: number): Generator<DayChoice> {
  const months = days.map(({ month }) => month);
  // Runs once a month follow no rule of two days a month.
  const most = Math.max(1, Math.round(aMonth + numbers.ADDED_TO_RUNS_A_MONTH));
  for (const kind of MONTH_KINDS) {
    const common = [...countNames(days, kind.toNames)]
      .filter(([, count]) => count >= numbers.NAME_SHARE * days.length)
      .sort((a, b) => b[1] - a[1]).slice(0, numbers.MAX_NAMES).map(([name]) => name);
    for (const names of combine(common, Math.min(most, kind.maxNames))) {
      const fields = kind.toFields(names);
      if (fields.length === 0) continue;
      const bits = names.length === 1 ? kind.bits : names.length * numbers.SEVERAL_NAMES_BITS;
      yield toChoice(fields, bits);
      for (const n of numbers.MONTH_CYCLES) {
        const phase = findPhase(months, n);
        // Two months are too few to show a cycle.
        if (phase === null || new Set(months).size < 3) continue;
        const list = Array.from({ length: 12 / n }, (_, at) => phase + at * n + 1).join();
        const inMonths = fields.map((each) => each.replace(" * ", ` ${list} `));
        yield toChoice(inMonths, bits + numbers.CYCLE_BITS);
      }
    }
  }
}

/** Each name alone, each pair, and the first three or more together. */
function combine(names: readonly string[], most: number): string[][] {
  const sets = names.map((name) => [name]);
  if (most === 1) return sets;
  names.forEach((one, at) => sets.push(...names.slice(at + 1).map((other) => [one, other])));
  for (let count = 3; count <= Math.min(most, names.length); count++) {
    sets.push(names.slice(0, count));
  }
  return sets;
}

function countNames(
  days: readonly NamedDay[],
  toNames: DayKind["toNames"],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const day of days) {
    for (const name of toNames(day)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
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

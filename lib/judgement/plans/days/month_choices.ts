/** Proposes rules by month for a schedule, judging by the days on which it ran. */
import { DAY } from "../../../time_units.ts";
import { businessDayOf, movedBack, movedOn, nthBusinessDay } from "./business_days.ts";
import { choiceOf, type DayChoice, weekdayOf } from "./due_days.ts";

/** Day of the month, month and weekday as in cron, and the bits to describe them. */
type Rule = readonly [fields: string | readonly string[], bits: number];

export function* monthChoices(days: readonly number[]): Generator<DayChoice> {
  const dates = days.map(dateOf);
  // A rule needs this many runs.
  const few = days.length / 4;
  const months = [...countBy(dates, ({ month }) => month)];
  const rules = [...dateRules(dates, few), ...businessDayRules(dates, few)];
  for (const [fields, bits] of [...rules, ...weekdayRules(dates, few)]) {
    yield choiceOf(fields, bits);
    for (const n of months.length < 3 ? [] : [2, 3, 4, 6, 12]) {
      const inPhase = new Array<number>(n).fill(0);
      for (const [month, count] of months) inPhase[month % n] += count;
      const best = Math.max(...inPhase);
      if (best < 0.75 * days.length) continue;
      const phase = inPhase.indexOf(best);
      const list = Array.from({ length: 12 / n }, (_, at) => phase + at * n + 1).join();
      const inMonths = [fields].flat().map((each) => each.replace(" * ", ` ${list} `));
      yield choiceOf(inMonths, bits + 4);
    }
  }
}

type MonthDate = ReturnType<typeof dateOf>;

/** A day's date, its month counted on from year to year, and the length of that month. */
function dateOf(day: number) {
  const time = new Date(day * DAY);
  const [year, month, date] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return { date, month: year * 12 + month, length, weekday: weekdayOf(day) };
}

/** One, two or more days of the month, also if they move off weekends, and the last day. */
function dateRules(dates: readonly MonthDate[], few: number): Rule[] {
  const byCount = (some: readonly number[]) =>
    [...countBy(some, (date) => date)].sort((a, b) => b[1] - a[1]);
  const often = byCount(dates.map(({ date }) => date))
    .filter(([, count]) => count >= dates.length / 6).slice(0, 5);
  const topOf = (counts: typeof often) =>
    counts.filter(([, count]) => count >= few).slice(0, 3).map(([date]) => date);
  const singlesAndPairs = (top: readonly number[]) =>
    top.flatMap((date) => {
      const pairs = top.filter((other) => other > date).map((other) => [date, other]);
      return [[date], ...pairs];
    });
  const top = topOf(often);
  const bitsOf = (some: readonly number[]) =>
    some.reduce((sum, date) => sum + (date === 1 ? 4 : 6), 0);
  const plain = (some: readonly number[]): Rule => [`${some.join()} * *`, bitsOf(some)];
  const rules = singlesAndPairs(top).map(plain);
  rules.push(...top.map((date): Rule => [`${date},L * *`, bitsOf([date]) + 4]), ["L * *", 4]);
  // A run on a Monday may have moved from the days before, and one on a Friday from those after.
  for (const [moved, weekday, step] of [[movedOn, 1, -1], [movedBack, 5, 1]] as const) {
    const meant = dates.flatMap((each) =>
      each.weekday === weekday ? [0, 1, 2].map((by) => each.date + by * step) : each.date
    ).filter((date) => date > 0 && date < 32);
    for (const some of singlesAndPairs(topOf(byCount(meant)))) {
      // Two dates within three days would move to the same day.
      const isPlan = some.join() !== "1" && !(some[1] - some[0] < 3) && moved(some).length > 0;
      if (isPlan) rules.push([moved(some), bitsOf(some) + 2]);
    }
  }
  for (let count = 3; count <= often.length; count++) {
    rules.push(plain(often.slice(0, count).map(([date]) => date).sort((a, b) => a - b)));
  }
  return rules;
}

function businessDayRules(dates: readonly MonthDate[], few: number): Rule[] {
  const business = dates.filter(({ weekday }) => weekday > 0 && weekday < 6);
  const counts = countBy(business, ({ date, weekday }) => businessDayOf(date, weekday));
  const rules = [...counts].filter(([, count]) => count >= few)
    .map(([n]): Rule => n === 1 ? [["1W * *"], 5] : [nthBusinessDay(n), 8])
    .filter(([fields]) => fields.length > 0);
  return [...rules, ["LW * *", 5]];
}

/** The most common nth weekdays of the month, and pairs of them. */
function weekdayRules(dates: readonly MonthDate[], few: number): Rule[] {
  const all = dates.flatMap(({ date, weekday, length }) => [
    `${weekday}#${Math.ceil(date / 7)}`,
    ...(date > length - 7 ? [`${weekday}#L`] : []),
  ]);
  const top = [...countBy(all, (nth) => nth)]
    .filter(([, count]) => count >= few)
    .sort((a, b) => b[1] - a[1]).slice(0, 3).map(([nth]) => nth);
  const pairs = top.flatMap((one, at) => top.slice(at + 1).map((other) => `${one},${other}`));
  return [
    ...top.map((nth): Rule => [`* * ${nth}`, 7]),
    ...pairs.map((pair): Rule => [`* * ${pair}`, 12]),
  ];
}

/** Choices of every nth day of the month, counted from the 1st: a step in cron. */
export function* dayStepChoices(days: readonly number[]): Generator<DayChoice> {
  const dates = days.map((day) => new Date(day * DAY).getUTCDate());
  for (const n of [2, 3, 4, 5, 7, 10]) {
    const count = dates.filter((date) => (date - 1) % n === 0).length;
    if (count < 0.75 * days.length) continue;
    // The 31st, so near the next 1st, is rarely meant: the 1st, 11th and 21st cost 16 bits.
    yield choiceOf(`*/${n} * *`, n === 10 ? 17 : 8);
  }
}

function countBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key) {
  const groups = Map.groupBy(values, keyOf);
  return new Map([...groups].map(([key, group]) => [key, group.length]));
}

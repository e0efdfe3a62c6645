/** Proposes the days on which a schedule may run, judging by the days on which it ran. */
import { choiceOf, type DayChoice, dueDays, weekdayOf, weekOf } from "./due_days.ts";
import { dayStepChoices, monthChoices } from "./month_choices.ts";

/** Rules by month need this many days to show. */
const MONTH_RULES_FROM = 56;
/** Steps of days need a month, because they restart each month. */
const DAY_STEPS_FROM = 28;
/** A run on another day takes about this many bits. */
const EXTRA_BITS = 8;
/** Callers that want only the best choices use at most this many. */
const MAX_CHOICES = 3;

/** The `most` choices that best fit the days on which something ran `times` a day, best first. */
export function bestDays(
  days: readonly number[],
  from: number,
  through: number,
  times: number,
  most: number = MAX_CHOICES,
): DayChoice[] {
  const ran = new Uint8Array(through - from + 1);
  for (const day of days) ran[day - from] = 1;
  const choices = [...weekChoices(days, from, through)];
  // A rule by month may be right before enough days show it.
  const monthsFrom = most > MAX_CHOICES ? DAY_STEPS_FROM : MONTH_RULES_FROM;
  if (through - from >= monthsFrom && days.length * 3 <= through - from + 4) {
    choices.push(...monthChoices(days));
  }
  if (through - from >= DAY_STEPS_FROM) choices.push(...dayStepChoices(days));
  return choices.map((choice) => ({ choice, score: scoreOf(choice, ran, from, through, times) }))
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ choice }) => choice);
}

/** Roughly the bits of a choice and of the days, to rule out choices that can't win. */
function scoreOf(
  choice: DayChoice,
  ran: Uint8Array,
  from: number,
  through: number,
  times: number,
): number {
  const { rules: [first, ...others], weeks } = choice;
  const due = dueDays(first, from, through);
  for (const other of others) dueDays(other, from, through).forEach((is, at) => due[at] |= is);
  let [hits, entered, misses, extras] = [0, 0, 0, 0];
  let inGap = false;
  let started = false;
  for (let at = 0; at < due.length; at++) {
    const isDue = due[at] === 1 &&
      (weeks === null || (weekOf(from + at) - weeks.rest) % weeks.n === 0);
    if (!isDue) {
      extras += ran[at];
    } else if (ran[at] === 1) {
      started = true;
      hits++;
      inGap = false;
    } else if (started) {
      misses++;
      if (!inGap) entered++;
      inGap = true;
    }
  }
  return choice.bits + extras * EXTRA_BITS + coded(entered, hits * times) +
    coded(entered, Math.max(0, misses * times - entered)) + entered;
}

/** Bits of some events among others, including their share. */
function coded(some: number, others: number): number {
  const part = (some + 0.5) / (some + others + 1);
  return -some * Math.log2(part) - others * Math.log2(1 - part);
}

function* weekChoices(
  days: readonly number[],
  from: number,
  through: number,
): Generator<DayChoice> {
  yield choiceOf("* * *", 1);
  const ran = new Array<number>(7).fill(0);
  const passed = new Array<number>(7).fill(0);
  for (const day of days) ran[weekdayOf(day)]++;
  for (let weekday = 0; weekday < 7; weekday++) {
    const first = from + ((weekday - weekdayOf(from)) % 7 + 7) % 7;
    passed[weekday] = first > through ? 0 : Math.floor((through - first) / 7) + 1;
  }
  const rate = ran.map((count, weekday) => passed[weekday] === 0 ? 0 : count / passed[weekday]);
  const order = [1, 2, 3, 4, 5, 6, 0].filter((weekday) => rate[weekday] > 0)
    .sort((a, b) => rate[b] - rate[a]);
  const workdays = [1, 2, 3, 4, 5];
  const sets = order.map((_, at) => order.slice(0, at + 1).sort((a, b) => a - b));
  sets.push(workdays);
  const seen = new Set<string>();
  for (const set of sets) {
    const isPassedOver = passed.every((count, weekday) => count > 0 || set.includes(weekday));
    const key = set.join();
    if (set.length === 7 || !isPassedOver || seen.has(key)) continue;
    seen.add(key);
    const bits = set.length === 1 ? 4 : key === workdays.join() ? 2 : 8;
    const fields = `* * ${rangesOf(weekdaysInOrder(set))}`;
    yield choiceOf(fields, bits);
    for (const n of [2, 3, 4, 6, 8]) {
      if (through - from < 7 * n * 2) continue;
      const inWeek = new Array<number>(n).fill(0);
      let count = 0;
      for (const day of days) {
        if (!set.includes(weekdayOf(day))) continue;
        inWeek[weekOf(day) % n]++;
        count++;
      }
      const best = Math.max(...inWeek);
      if (best < 0.75 * count) continue;
      yield choiceOf(fields, bits + 4, { n, rest: inWeek.indexOf(best) });
    }
  }
}

/** Weekdays with Sunday as 7 if it follows Saturday, so that they form a range. */
function weekdaysInOrder(set: readonly number[]): number[] {
  return set.includes(0) && set.includes(6) ? [...set.filter((day) => day !== 0), 7] : [...set];
}

/** Sorted numbers as cron writes them: a list with ranges, such as `1-5,8`. */
export function rangesOf(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < numbers.length;) {
    let end = at;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++;
    if (end - at >= 2) parts.push(`${numbers[at]}-${numbers[end]}`);
    else for (let one = at; one <= end; one++) parts.push(String(numbers[one]));
    at = end + 1;
  }
  return parts.join();
}

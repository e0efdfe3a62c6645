/** Proposes rules by month for a schedule, judging by the days on which it ran. */
import { businessDayOf, movedBack, movedOn, nthBusinessDay } from "./business_days.ts";
import { choiceOf, type DayChoice, dueDays, ruleOf, weekdayOf } from "./due_days.ts";

const DAY = 86_400_000;

export function* monthChoices(days: readonly number[]): Generator<DayChoice> {
  const ofMonth = new Map<number, number>();
  const ofWeekday = new Map<string, number>();
  const business = new Map<number, number>();
  const months = new Map<number, number>();
  let [last, lastBusiness] = [0, 0];
  const lastWorkday = ruleOf("LW * *");
  for (const day of days) {
    const date = new Date(day * DAY);
    const number = date.getUTCDate();
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
      .getUTCDate();
    add(ofMonth, number);
    add(months, month);
    const weekday = weekdayOf(day);
    add(ofWeekday, `${weekday}#${Math.floor((number - 1) / 7) + 1}`);
    if (number > length - 7) add(ofWeekday, `${weekday}#L`);
    if (number === length) last++;
    if (weekday > 0 && weekday < 6) add(business, businessDayOf(number, weekday));
    if (number >= length - 2 && dueDays(lastWorkday, day, day)[0]) lastBusiness++;
  }
  const few = Math.max(1, days.length / 4);
  const often = [...ofMonth].filter(([, count]) => count >= Math.max(1, days.length / 6))
    .sort((a, b) => b[1] - a[1]).slice(0, 5);
  const top = often.filter(([, count]) => count >= few).slice(0, 3).map(([number]) => number);
  const bitsOfDay = (number: number) => number === 1 ? 4 : 6;
  const found: [fields: string | readonly string[], bits: number][] = [];
  const addMoved = (numbers: readonly number[], bits: number) => {
    for (const moved of [movedOn(numbers), movedBack(numbers)]) {
      if (moved.length > 0) found.push([moved, bits + 2]);
    }
  };
  for (const number of top) {
    found.push([`${number} * *`, bitsOfDay(number)]);
    if (number > 1) addMoved([number], bitsOfDay(number));
    for (const other of top) {
      if (other <= number) continue;
      const bits = bitsOfDay(number) + bitsOfDay(other);
      found.push([`${number},${other} * *`, bits]);
      addMoved([number, other], bits);
    }
    if (last >= few) found.push([`${number},L * *`, bitsOfDay(number) + 4]);
  }
  for (let count = 3; count <= often.length; count++) {
    const several = often.slice(0, count).map(([number]) => number).sort((a, b) => a - b);
    const bits = several.reduce((sum, number) => sum + bitsOfDay(number), 0);
    found.push([`${several.join()} * *`, bits]);
  }
  if (last >= few) found.push(["L * *", 4]);
  for (const [n, count] of business) {
    const nth = n === 1 ? ["1W * *"] : nthBusinessDay(n);
    if (count >= few && nth.length > 0) found.push([nth, n === 1 ? 5 : 8]);
  }
  if (lastBusiness >= few) found.push(["LW * *", 5]);
  const weekdays = [...ofWeekday].filter(([, count]) => count >= few).sort((a, b) => b[1] - a[1]);
  for (const [which] of weekdays.slice(0, 3)) found.push([`* * ${which}`, 7]);
  for (const [at, [one]] of weekdays.slice(0, 3).entries()) {
    for (const [other] of weekdays.slice(at + 1, 3)) found.push([`* * ${one},${other}`, 12]);
  }
  for (const [fields, bits] of found) {
    yield choiceOf(fields, bits);
    for (const n of [2, 3, 4, 6, 12]) {
      const inPhase = new Array<number>(n).fill(0);
      for (const [month, count] of months) inPhase[month % n] += count;
      const best = Math.max(...inPhase);
      if (best < 0.75 * days.length || months.size < 3) continue;
      const phase = inPhase.indexOf(best);
      const list = Array.from({ length: 12 / n }, (_, at) => phase + at * n + 1);
      const { fields: all } = choiceOf(fields, bits);
      const inMonths = all.map((each) => {
        const [day, , weekday] = each.split(" ");
        return `${day} ${list.join()} ${weekday}`;
      });
      yield choiceOf(inMonths, bits + (n === 3 ? 4 : 5));
    }
  }
}

/** Choices of every nth day of the month, counted from the 1st: a step in cron. */
export function* dayStepChoices(days: readonly number[]): Generator<DayChoice> {
  const dates = days.map((day) => new Date(day * DAY).getUTCDate());
  for (const n of [2, 3, 4, 5, 7, 10]) {
    const count = dates.filter((date) => (date - 1) % n === 0).length;
    if (count < 0.75 * days.length) continue;
    // The 31st, so near the next 1st, is rarely meant.
    yield choiceOf(`*/${n} * *`, 30 % n === 0 && n >= 5 ? 12 : 8);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

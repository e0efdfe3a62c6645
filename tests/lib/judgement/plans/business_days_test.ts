import { assertEquals } from "@std/assert";
import {
  businessDayOf,
  movedBack,
  movedOn,
  nthBusinessDay,
} from "../../../../lib/judgement/plans/business_days.ts";
import { readCron } from "../../../../lib/judgement/plans/cron.ts";
import { dueDays, weekdayOf } from "../../../../lib/judgement/plans/due_days.ts";

/** The first and the last day of each month of 28 years, in which each kind of month occurs. */
const MONTHS = Array.from({ length: 28 * 12 }, (_, at) => {
  const [first, next] = [at, at + 1].map((month) => Date.UTC(2001, month) / 86_400_000);
  return { first, length: next - first };
});

function isBusiness(day: number): boolean {
  return ![0, 6].includes(weekdayOf(day));
}

/** Compares the days of each month on which fields are due with the one that a function gives. */
function assertDays(
  fields: readonly string[],
  dayIn: (month: typeof MONTHS[number]) => number | undefined,
): void {
  for (const month of MONTHS) {
    const { first, length } = month;
    const due = fields.map((field) =>
      dueDays(readCron(`0 0 ${field}`).days, first, first + length - 1)
    );
    const days = Array.from({ length }, (_, at) => first + at)
      .filter((day) => due.some((each) => each[day - first] === 1));
    assertEquals(days, [dayIn(month) ?? []].flat(), `${fields} in ${new Date(first * 86_400_000)}`);
  }
}

Deno.test("nthBusinessDay, businessDayOf: count Mondays to Fridays in each kind of month", () => {
  for (let n = 2; n <= 20; n++) {
    assertDays(nthBusinessDay(n), ({ first, length }) => {
      const days = Array.from({ length }, (_, at) => first + at).filter(isBusiness);
      assertEquals(businessDayOf(days[n - 1] - first + 1, weekdayOf(days[n - 1])), n);
      return days[n - 1];
    });
  }
  assertEquals([nthBusinessDay(1), nthBusinessDay(21)], [[], []]);
});

Deno.test("dueDays: nth and last weekdays, in each kind of month", () => {
  for (const [nth, at] of [["1", 0], ["3", 2], ["4", 3], ["L", -1]] as const) {
    assertDays(
      [`* * 5#${nth}`],
      ({ first, length }) =>
        Array.from({ length }, (_, at) => first + at).filter((day) => weekdayOf(day) === 5).at(at),
    );
  }
});

Deno.test("movedOn, movedBack: a day on a weekend moves to the nearest Monday or Friday", () => {
  const moved = (day: number, step: number) => {
    while (!isBusiness(day)) day += step;
    return day;
  };
  for (let day = 1; day <= 28; day++) {
    const [on, back] = [movedOn([day]), movedBack([day])];
    assertEquals([on.length > 0, back.length > 0], [day <= 26, day >= 3]);
    if (on.length > 0) assertDays(on, ({ first }) => moved(first + day - 1, 1));
    if (back.length > 0) assertDays(back, ({ first }) => moved(first + day - 1, -1));
  }
  assertEquals([movedOn([15, 28]), movedBack([1, 15])], [[], []]);
});

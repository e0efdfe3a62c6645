import { assertEquals } from "@std/assert";
import { DAY, MINUTE } from "../../../../lib/time_units.ts";
import { inferPlan } from "../../../../lib/mod.ts";
import { randomFrom } from "../histories/random.ts";
import { judgeAt, runsAt, slotsOf } from "../runs_at.ts";

const BEGIN = Date.UTC(2026, 0, 1);

function lateBy(minutes: number, slots: readonly number[]): number[] {
  const random = randomFrom(1);
  return slots.map((slot) => slot + random.next() * minutes * MINUTE);
}

/** The expressions of the plan that runs show. */
function shownBy(starts: readonly number[]): string | undefined {
  return inferPlan(runsAt(starts), { now: starts.at(-1)! + MINUTE, zone: "UTC" })?.cron.join("; ");
}

/** Expressions, how late runs are at most, how many show the plan, and every which is missing. */
const NEW: readonly [cron: string, minutesLate: number, runs: number, without?: number][] = [
  ["0 6 * * *", 120, 8],
  ["30 9 * * 6,7", 30, 6],
  ["55 23 * * 1-5", 30, 6],
  ["0 6 1,15 * *", 3, 4],
  ["0 6 15,L * *", 30, 5],
  ["0 6 * * 2#2,2#4", 30, 7],
  ["0 6 * * 5#L", 30, 5],
  ["0 8 * * *; 0 13 * * *; 30 17 * * *", 3, 12],
  ["0 8 * * 1-5; 0 10 * * 6", 30, 27],
  ["30 * * * *", 20, 14],
  ["0 * * * *", 50, 26],
  ["0 8-17 * * 1-5", 3, 21],
  ["0 0-2,22,23 * * *", 3, 7],
  ["0 */2 * * *", 30, 11],
  ["0 */6 * * *", 240, 24],
  ["*/15 * * * *", 3, 10],
  ["*/15 * * * *", 13, 26],
  ["*/5 * * * *", 4, 24],
  ["0 6 * * *", 1, 4, 3],
  ["0 6 * * 1-5", 1, 4, 3],
  ["0 8-17 * * 1-5", 1, 19, 7],
  ["*/15 * * * *", 1, 10, 3],
];

Deno.test("inferPlan: lateness, misses and irregular days need more runs", () => {
  for (const [cron, minutesLate, count, without = Infinity] of NEW) {
    const slots = slotsOf(cron.split("; "), BEGIN, BEGIN + 1200 * DAY).slice(0, 60);
    const starts = lateBy(minutesLate, slots.filter((_, at) => (at + 1) % without !== 0));
    const isShown = [count - 1, count, count + 1]
      .map((few) => shownBy(starts.slice(0, few)) === cron);
    assertEquals(isShown, [false, true, true], `${cron}, up to ${minutesLate} minutes late`);
  }
});

/** A plan, for how many days it held, the plan after it, and how many runs show that one. */
const CHANGES: readonly [before: string, days: number, after: string, runs: number][] = [
  ["0 6 * * *", 60, "0 8 * * *", 4],
  ["0 6 * * *", 60, "0 6 * * 1", 4],
  ["0 6 * * *", 60, "0 6 * * 1-5", 17],
  ["0 6 * * 1-5", 60, "0 6 * * *", 10],
  ["0 6 * * *", 60, "0 6 * * *; 0 18 * * *", 8],
  ["0 6 * * *; 0 18 * * *", 30, "0 6 * * *", 5],
  ["0 8-17 * * 1-5", 20, "0 9-17 * * 1-5", 46],
  ["0,30 * * * *", 14, "0 * * * *", 9],
  ["0 6 * * 1-5", 60, "0 7 * * 1-5", 4],
];

Deno.test("inferPlan: a plan holds until enough runs show another, and none was missed before", () => {
  for (const [before, days, after, count] of CHANGES) {
    const monday = BEGIN + 4 * DAY;
    const change = monday + days * DAY;
    const old = slotsOf(before.split("; "), monday, change);
    const slots = [...old, ...slotsOf(after.split("; "), change, change + 200 * DAY)];
    const starts = lateBy(1, slots).slice(0, old.length + count);
    const { schedule } = judgeAt(starts.at(-1)! + MINUTE, runsAt(starts), { zone: "UTC" });
    const shown = [shownBy(starts.slice(0, -1)), schedule?.plan.cron.join("; ")];
    assertEquals(shown, [before, after]);
    assertEquals(schedule?.counts, { missed: 0, overdue: 0 }, `${after} after ${before}`);
  }
});

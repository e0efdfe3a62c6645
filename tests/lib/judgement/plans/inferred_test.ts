/** What runs show, beside labelled histories, and how soon they show it (`how_soon_test.ts`). */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../lib/time_units.ts";
import { inferPlan, type Plan } from "../../../../lib/mod.ts";
import { zonesFor } from "../../../../lib/judgement/plans/zones.ts";
import type { JudgedPlan } from "../../../../lib/judgement/mod.ts";
import { randomFrom } from "../histories/random.ts";
import { judgeAt, momentsFrom, runsAt, slotsOf } from "../runs_at.ts";

/** The schedule that runs at these moments show, ten minutes after the last by default. */
function judged(
  starts: readonly number[],
  { now = starts.at(-1)! + 10 * MINUTE, zone }: { now?: number; zone?: string } = {},
): JudgedPlan | null {
  return judgeAt(now, runsAt(starts), { ...zone && { zone } }).schedule;
}

function inferred(starts: readonly number[]): Plan | null {
  return inferPlan(runsAt(starts), { now: starts.at(-1)! + MINUTE, zone: "UTC" });
}

/** Moments at 06:00 of that many days. */
const days = (count: number) => momentsFrom(Date.UTC(2026, 0, 1, 6), count);

/** Some seconds after each moment. */
function soonAfter(slots: readonly number[], random = randomFrom(5)): number[] {
  return slots.map((slot) => slot + random.between(0, 20) * SECOND);
}

Deno.test("judgeSchedule: of runs every ten minutes, older ones show that weekends are left out", () => {
  const saturday = Date.UTC(2026, 5, 20, 11);
  for (const hours of ["8-17", "9-20", "22,23"]) {
    const [zone, cron] = ["Asia/Kolkata", [`*/10 ${hours} * * 1-5`]];
    const starts = slotsOf(cron, saturday - 18 * DAY, saturday, zone);
    const schedule = judged(starts, { now: saturday + DAY, zone });
    assertEquals(schedule?.plan.cron, cron);
    assertEquals([schedule?.missed, schedule?.overdue], [[], []]);
  }
});

Deno.test("judgeSchedule: a lateness that recurs now and then is no second planned time", () => {
  for (const seed of [1, 2, 3]) {
    const random = randomFrom(seed);
    const lateBy = () => random.next() < 0.06 ? 10 * MINUTE : 0;
    const schedule = judged(soonAfter(days(120), random).map((start) => start + lateBy()));
    assertEquals([schedule?.plan.cron.length, schedule?.missed], [1, []], `${seed}`);
  }
});

Deno.test("judgeSchedule: every 7 minutes is not every 6 with misses", () => {
  for (const [count, offset] of [[60, 0], [175, 5]]) {
    const begin = Date.UTC(2026, 1, 2, 17, offset);
    const times = momentsFrom(begin, count, 7 * MINUTE);
    const schedule = judged(times, { now: times[count - 1] + 3 * MINUTE });
    assertEquals(schedule?.counts ?? { missed: 0, overdue: 0 }, { missed: 0, overdue: 0 });
  }
});

Deno.test("inferPlan: a week without runs among the first three is no cycle of weeks", () => {
  const from = Date.UTC(2026, 0, 5);
  const starts = slotsOf(["0 6 * * 1-5"], from, from + 19 * DAY)
    .filter((start) => start < from + 7 * DAY || start > from + 14 * DAY);
  assertEquals(inferred(starts)!.everyWeeks, undefined);
});

Deno.test("inferPlan: every second or third day is no daily plan", () => {
  const cronOf = (isDue: (day: number) => boolean) =>
    inferred(soonAfter(days(90).filter((_, day) => isDue(day))))?.cron.join();
  const random = randomFrom(3);
  assertEquals(cronOf((day) => day % 2 === 0), undefined);
  assertEquals(cronOf((day) => day % 3 === 0), undefined);
  assertEquals(cronOf((day) => day % 3 > 0), "0 6 * * *");
  assertEquals(cronOf(() => random.next() < 0.4), "0 6 * * *");
  // Every six weeks is beyond what plans can say.
  const rare = momentsFrom(Date.UTC(2024, 0, 2, 6, 30), 20, 42 * DAY);
  assertEquals(inferred(soonAfter(rare)), null);
});

Deno.test("judgeSchedule: where clocks go back, an hourly plan is due twice, a two-hourly one once", () => {
  // Clocks in Berlin showed 02:00 at 00:00 and at 01:00 on the 25th of October 2026.
  const from = Date.UTC(2026, 9, 10);
  const hours = momentsFrom(from, 500, HOUR);
  const back = Date.UTC(2026, 9, 25, 1);
  const local = (time: number) => new Date(time + (time < back ? 120 : 60) * MINUTE);
  const missedOf = (starts: number[]) =>
    judged(starts.map((start) => start + 4000), { zone: "Europe/Berlin" })!.missed;
  const even = hours.filter((time) => local(time).getUTCHours() % 2 === 0);
  assertEquals(missedOf(even), []);
  assertEquals(missedOf(even.filter((time) => time !== back)), []);
  assertEquals(missedOf(hours.filter((time) => time !== back)).map(({ at }) => at), [back]);
});

Deno.test("judgeSchedule: weekday nights are found in zones a quarter of an hour off", () => {
  for (const zone of ["Asia/Kathmandu", "Pacific/Chatham"]) {
    const end = Date.UTC(2026, 2, 12);
    const starts = soonAfter(slotsOf(["0 0-2,22,23 * * 1-5"], end - 62 * DAY, end, zone));
    assertEquals(judged(starts, { zone: "UTC" })?.counts, { missed: 0, overdue: 0 }, zone);
  }
});

Deno.test("inferPlan: a few hourly runs at another minute don't hide the usual one", () => {
  const random = randomFrom(1);
  const from = Date.UTC(2026, 0, 5);
  const starts = Array.from({ length: 200 }, (_, hour) => {
    const minute = hour % 40 === 39 ? 5 : 20;
    return from + hour * HOUR + (minute + 4 * random.next()) * MINUTE;
  });
  assertEquals(inferred(starts)?.cron, ["20 * * * *"]);
});

Deno.test("inferPlan: hourly runs up to 54 minutes late show at which minute they are due", () => {
  const random = randomFrom(8);
  const starts = momentsFrom(Date.UTC(2026, 0, 5, 0, 20), 400, HOUR)
    .map((slot) => slot + 54 * MINUTE * random.next());
  assertEquals(inferred(starts)?.cron, ["20 * * * *"]);
});

/** The grace, in minutes, inferred from daily runs that start this many minutes after 06:00. */
function graceFor(late: readonly number[]): number {
  return inferred(days(late.length).map((day, at) => day + late[at] * MINUTE))!.graceMs / MINUTE;
}

Deno.test("inferPlan: the grace is five minutes at least; one late run in 100 hardly counts", () => {
  assertEquals([30, 300].map((count) => graceFor(Array(count).fill(0.1))), [5, 5]);
  const even = Array.from({ length: 200 }, (_, run) => run * 7 % 20);
  assert(graceFor(even) > 20 && graceFor(even) < 40, `${graceFor(even)}`);
  const few = even.slice(0, 20).map((minutes) => minutes / 5);
  assert(graceFor(few) >= 5 && graceFor(few) < 25, `${graceFor(few)}`);
  const late = even.with(60, 300).with(70, 300);
  assert(graceFor(late) < 40, `${graceFor(late)}`);
  // A third one is no exception any more.
  assertEquals(graceFor(late.with(80, 205)), 410);
  assertEquals(graceFor(few.with(9, 600)), graceFor(few.with(9, 60)));
});

Deno.test("inferPlan: a year of a busy queue has hardly a run beyond the grace", () => {
  const random = randomFrom(11);
  const late = () => -3 * Math.log(1 - random.next());
  let [beyond, ofRuns] = [0, 0];
  for (let year = 0; year < 8; year++) {
    const lateness = Array.from({ length: 364 }, late);
    for (let day = 28; day < lateness.length; day += 28) {
      const grace = graceFor(lateness.slice(0, day));
      assert(grace < 60, `${grace}`);
      beyond += lateness.slice(day, day + 28).filter((minutes) => minutes > grace).length;
      ofRuns += 28;
    }
  }
  // 8 a year at one in a hundred.
  assert(beyond / ofRuns * 365 <= 0.3, `${beyond} of ${ofRuns}`);
});

Deno.test("zonesFor: hourly runs of less than a week suggest no other zone", () => {
  const hours = Float64Array.from({ length: 57 }, (_, hour) => Date.UTC(2026, 10, 24, 5 + hour));
  assertEquals(zonesFor(hours).map(({ clock }) => clock.zone), ["UTC"]);
});

Deno.test("inferPlan: a week of daily runs keeps the zone whose clocks went forward in it", () => {
  const first = Date.UTC(2027, 2, 9);
  const starts = slotsOf(["0 15 * * *"], first, first + 10 * DAY, "America/New_York");
  const zones = [7, 8, 9].map((count) => inferred(starts.slice(0, count))?.zone);
  assertEquals(zones, Array(3).fill("America/New_York"));
});

Deno.test("judgeSchedule: three times a day for two days is no plan, but four days are", () => {
  for (const [thrice, times] of [[2, 1], [4, 3]]) {
    const starts = days(44).flatMap((start, day) =>
      [0, 20, 40].filter((minutes) => minutes === 0 || day >= 43 - thrice && day < 43)
        .map((minutes) => start + minutes * MINUTE)
    );
    const schedule = judged(starts, { now: starts.at(-1)! + 3 * HOUR });
    assertEquals(schedule?.plan.cron.length, times);
    assertEquals(schedule?.overdue.length, times - 1);
  }
});

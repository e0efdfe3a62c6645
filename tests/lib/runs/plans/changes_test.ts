import { assertEquals } from "@std/assert";
import { defaultStatusDictionary, judgeSchedule, planSlots } from "../../../../lib/mod.ts";
import { randomFrom } from "../histories/random.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 1440 * MINUTE;

/** The times of some expressions. */
function slotsOf(cron: readonly string[], zone: string, from: number, to: number): number[] {
  return planSlots({ cron, zone, graceMs: 0, since: 0 }, from, to);
}

function judged(starts: readonly number[], { now, zone }: { now: number; zone?: string }) {
  const runs = starts.map((start, id) => ({
    id,
    startTime: new Date(start).toISOString(),
    status: "success",
  }));
  const statuses = defaultStatusDictionary();
  return judgeSchedule({ runs }, { now, statuses, ...(zone ? { zone } : {}) }).schedule;
}

Deno.test("judgeSchedule: of runs every ten minutes, older ones show that weekends are left out", () => {
  const saturday = Date.UTC(2026, 5, 20, 11);
  for (const hours of ["8-17", "9-20", "22,23"]) {
    const starts = slotsOf(
      [`*/10 ${hours} * * 1-5`],
      "Asia/Kolkata",
      saturday - 18 * DAY,
      saturday,
    );
    const schedule = judged(starts, { now: saturday + DAY, zone: "Asia/Kolkata" });
    assertEquals(schedule?.plan.cron, [`*/10 ${hours} * * 1-5`]);
    assertEquals([schedule?.missed, schedule?.overdue], [[], []]);
  }
});

Deno.test("judgeSchedule: a clock that is a second slow makes no plan in another zone", () => {
  const random = randomFrom(7);
  const end = Date.UTC(2026, 6, 10);
  const starts = slotsOf(["50 20 * * 1-3"], "Pacific/Auckland", end - 580 * DAY, end)
    .map((slot) => slot + Math.round((6 * random.next() - 1.5) * SECOND));
  const schedule = judged(starts, { now: end });
  assertEquals([schedule?.plan.zone, schedule?.plan.cron, schedule?.missed], [
    "Pacific/Auckland",
    ["50 20 * * 1-3"],
    [],
  ]);
});

Deno.test("judgeSchedule: two days of the month that gave way to two others are no plan of all four", () => {
  const zone = "Europe/London";
  const change = Date.UTC(2026, 2, 1);
  const now = Date.UTC(2026, 4, 18);
  const starts = [
    ...slotsOf(["30 7 1,16 * *"], zone, Date.UTC(2025, 10, 1), change),
    ...slotsOf(["45 12 5,15 * *"], zone, change, now),
  ];
  const schedule = judged(starts, { now, zone });
  assertEquals([schedule?.plan.cron, schedule?.missed], [["45 12 5,15 * *"], []]);
});

Deno.test("judgeSchedule: hours that were added to a plan were not missed before", () => {
  const change = Date.UTC(2026, 4, 30);
  const now = change + 6 * DAY - 60 * MINUTE;
  for (const [before, after] of [["5-17", "5-19"], ["8-18", "6-18"]]) {
    const starts = [
      ...slotsOf([`0 ${before} * * *`], "UTC", change - 5 * DAY, change),
      ...slotsOf([`0 ${after} * * *`], "UTC", change, now),
    ];
    const schedule = judged(starts, { now, zone: "UTC" });
    assertEquals([schedule?.plan.cron, schedule?.missed], [[`0 ${after} * * *`], []]);
  }
});

import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../../lib/time_units.ts";
import { defaultStatusDictionary, judgeSchedule } from "../../../../lib/mod.ts";
import { randomFrom } from "../histories/random.ts";
import { runsAt, slotsOf } from "../runs_at.ts";

const statuses = defaultStatusDictionary();

/** Slots each hour from 07:00 to 20:00 on weekdays, each a little later than the one before. */
function drifting(count: number, from: number): number[] {
  const random = randomFrom(1);
  return slotsOf(["0 7-20 * * 1-5"], from, from + 90 * DAY).slice(0, count)
    .map((slot, at) => slot + at * 2000 + random.next() * 20_000);
}

Deno.test("judgeSchedule: runs that start ever later keep the hours and the days of their plan", () => {
  const times = drifting(520, Date.UTC(2024, 10, 4));
  for (const count of [360, 378, 459, 477]) {
    const { schedule } = judgeSchedule({ runs: runsAt(times.slice(0, count)) }, {
      now: times[count - 1] + 20 * MINUTE,
      statuses,
    });
    const days = schedule?.plan.cron.map((cron) => cron.split(" ").slice(1).join(" "));
    assertEquals([days, schedule?.missed], [["7-20 * * 1-5"], []], `${count} runs`);
  }
});

Deno.test("judgeSchedule: every 7 minutes is not every 6 with misses", () => {
  for (const count of [60, 111, 175, 300]) {
    for (const offset of [0, 2, 5]) {
      const begin = Date.UTC(2026, 1, 2, 17, offset);
      const times = Array.from({ length: count }, (_, run) => begin + run * 7 * MINUTE);
      const { reasons } = judgeSchedule({ runs: runsAt(times) }, {
        now: times[count - 1] + 3 * MINUTE,
        statuses,
      });
      assertEquals(reasons, [], `${count} runs from :0${offset}`);
    }
  }
});

Deno.test("judgeSchedule: runs up to 5 hours late are overdue soon after", () => {
  const periods: [name: string, dueOf: (run: number) => number, told: number][] = [
    ["daily", (run) => Date.UTC(2025, 0, 1 + run, 6), 18 * HOUR],
    ["weekly", (run) => Date.UTC(2025, 0, 6 + 7 * run, 6), 24 * HOUR],
    ["monthly", (run) => Date.UTC(2023, run, 1, 6), 3 * 24 * HOUR],
    ["quarterly", (run) => Date.UTC(2018, 3 * run, 1, 6), 5 * 24 * HOUR],
  ];
  for (const [name, dueOf, told] of periods) {
    for (let seed = 0; seed < 6; seed++) {
      const random = randomFrom(seed);
      const times = Array.from({ length: 30 }, (_, run) => dueOf(run) + random.next() * 5 * HOUR);
      const overdueAt = (now: number) =>
        judgeSchedule({ runs: runsAt(times) }, { now, statuses }).schedule?.overdue.length;
      const due = dueOf(30);
      assertEquals([overdueAt(due + 2 * HOUR), overdueAt(due + told)], [0, 1], `${name} ${seed}`);
    }
  }
});

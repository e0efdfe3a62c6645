import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { latestSlots } from "../../../lib/judgement/slots.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { runsAt } from "./runs_at.ts";

const FIRST = Date.UTC(2026, 0, 5, 6);
const PLAN = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 600_000, since: 0 };
const options = { now: FIRST + 10 * DAY + 60_000, statuses: defaultStatusDictionary(), count: 5 };

Deno.test("latestSlots: as many as asked for, of plans that are due often or hardly ever", () => {
  const cases: readonly (readonly [cron: string, count: number, daysApart: number])[] = [
    ["* * * * *", 5, 1 / 1440],
    ["0 * * * *", 30, 1 / 24],
    ["0 6 * * *", 9, 1],
    ["0 6 * * 1", 4, 7],
  ];
  for (const [cron, count, apart] of cases) {
    const plan = { ...PLAN, cron: [cron] };
    // The oldest run is older than all of them.
    const runs = runsAt([FIRST - 100 * DAY, FIRST]);
    const slots = latestSlots(runs, plan, { ...options, now: FIRST, count }).map(({ at }) => at);
    assertEquals([slots.length, slots[0]], [count, FIRST], cron);
    assertEquals((slots[0] - slots[count - 1]) / DAY, (count - 1) * apart, cron);
  }
  // They are searched for in the last 800 days.
  const runs = runsAt([FIRST - 1000 * DAY, FIRST]);
  const found = ["0 6 5 1 *", "0 6 30 2 *"]
    .map((cron) => latestSlots(runs, { ...PLAN, cron: [cron] }, options).length);
  assertEquals(found, [3, 0]);
});

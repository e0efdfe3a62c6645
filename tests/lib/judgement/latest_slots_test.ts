import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { latestSlots } from "../../../lib/judgement/slots.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { runsAt } from "./runs_at.ts";

Deno.test("latestSlots: as many as asked for of the last 800 days, often due or not", () => {
  const now = Date.UTC(2026, 0, 5, 6);
  const statuses = defaultStatusDictionary();
  // The oldest run is older than all of them.
  const runs = runsAt([now - 1000 * DAY, now]);
  const cases: readonly (readonly [cron: string, found: number, days: number, count?: number])[] = [
    ["* * * * *", 5, 4 / 1440],
    ["0 * * * *", 30, 29 / 24],
    ["0 6 * * *", 9, 8],
    ["0 6 * * 1", 4, 21],
    ["0 6 5 1 *", 3, 731, 5],
    ["0 6 30 2 *", 0, 0, 5],
  ];
  for (const [cron, found, days, count = found] of cases) {
    const plan = { cron: [cron], zone: "UTC", graceMs: 600_000, since: 0 };
    const slots = latestSlots(runs, plan, { now, statuses, count }).map(({ at }) => at);
    const expected = found === 0 ? [] : [now, now - days * DAY];
    assertEquals([slots.length, slots[0], slots.at(-1)], [found, expected[0], expected[1]], cron);
  }
});

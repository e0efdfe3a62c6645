import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { planFit } from "../../../server/schedules/plan_fit.ts";

const NEWEST = Date.parse("2026-03-01T06:00:00Z");
const plan = (cron: string) => ({ cron: [cron], zone: "UTC", graceMs: 600_000, since: NEWEST });
const runsEvery = (days: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    startTime: new Date(NEWEST - at * days * DAY).toISOString(),
  }));

Deno.test("planFit: how many of the newest 50 runs started as planned", () => {
  assertEquals(planFit(plan("0 6 * * *"), runsEvery(1, 60)), { fitting: 50, runs: 50 });
  assertEquals(planFit(plan("0 7 * * *"), runsEvery(1, 6)), { fitting: 0, runs: 6 });
  assertEquals(planFit(plan("0 6 * * *"), runsEvery(1, 4)), null);
  // More slots than a plan gives at once, if all the runs were compared.
  assertEquals(planFit(plan("* * * * *"), runsEvery(30, 50)), { fitting: 13, runs: 13 });
  const crowded = { ...plan(""), cron: Array.from({ length: 20 }, () => "* * * * *") };
  assertEquals(planFit(crowded, runsEvery(1, 50)), { fitting: 21, runs: 21 });
});

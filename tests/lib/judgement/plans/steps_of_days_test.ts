import { assertEquals } from "@std/assert";
import { DAY } from "../../../../lib/time_units.ts";
import {
  defaultStatusDictionary,
  inferPlan,
  judgeSchedule,
  type Plan,
  planSlots,
} from "../../../../lib/mod.ts";
import { runsAt } from "../runs_at.ts";

/** The verdict on a year of a plan from which one run is missing. */
function judgedWithoutOne(plan: Pick<Plan, "cron" | "everyWeeks">, years: number) {
  const now = Date.UTC(2026, 9, 14, 15);
  const slots = planSlots(
    { ...plan, zone: "Europe/London", graceMs: 0, since: 0 },
    now - years * 365 * DAY,
    now,
  );
  const missed = slots.length >> 1;
  const runs = runsAt(slots.toSpliced(missed, 1).map((slot, id) => slot + id % 9 * 1000));
  const statuses = defaultStatusDictionary();
  const { schedule } = judgeSchedule({ runs }, { now, statuses, zone: "Europe/London" });
  return {
    cron: schedule?.plan.cron,
    n: schedule?.plan.everyWeeks?.n,
    isMissed: schedule?.missed.map(({ at }) => at).join() === `${slots[missed]}`,
  };
}

Deno.test("judgeSchedule: every nth day of the month, as cron counts them", () => {
  for (const n of [2, 3, 4, 5]) {
    const cron = [`30 6 */${n} * *`];
    assertEquals(judgedWithoutOne({ cron }, 1), { cron, n: undefined, isMissed: true });
  }
});

Deno.test("inferPlan: runs every six weeks have no plan", () => {
  const first = Date.UTC(2024, 0, 2, 6, 30);
  const runs = runsAt(Array.from({ length: 20 }, (_, at) => first + at * 42 * DAY + at % 9 * 1000));
  assertEquals(inferPlan(runs, { now: first + 801 * DAY, zone: "UTC" }), null);
});

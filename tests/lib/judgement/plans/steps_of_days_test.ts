import { assertEquals } from "@std/assert";
import { DAY } from "../../../../lib/time_units.ts";
import {
  defaultStatusDictionary,
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
  for (const n of [2, 3, 4, 5, 7, 10]) {
    const cron = [`30 6 */${n} * *`];
    assertEquals(judgedWithoutOne({ cron }, 1), { cron, n: undefined, isMissed: true });
  }
});

Deno.test("judgeSchedule: every six or eight weeks", () => {
  for (const n of [6, 8]) {
    const plan = { cron: ["30 6 * * 2"], everyWeeks: { n, from: "2026-01-05" } };
    assertEquals(judgedWithoutOne(plan, 3), { cron: plan.cron, n, isMissed: true });
  }
});

import { assertEquals, assertMatch } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { comparePlan } from "../../../server/schedules/plan_fit.ts";
import { momentsFrom, runsAt } from "../../lib/judgement/runs_at.ts";

const NEWEST = Date.parse("2026-03-01T06:00:00Z");

/** Compares a plan of this cron line with `count` runs at 06:00, one every `days` days. */
function compare(
  days: number,
  count: number,
  cron: string,
  everyWeeks?: { readonly n: number; readonly from: string },
) {
  return comparePlan({
    plan: { cron: [cron], zone: "UTC", graceMs: 600_000, since: NEWEST, everyWeeks },
    pauses: [{ from: NEWEST, to: NEWEST + 3 * DAY }],
    runs: runsAt(momentsFrom(NEWEST, count, -days * DAY)),
    now: NEWEST,
    zone: "UTC",
    statuses: defaultStatusDictionary(),
  });
}

Deno.test("comparePlan: how many of the newest 50 runs started as planned, and what comes", () => {
  const { fit, misfit, coming, cutMs } = compare(1, 60, "0 6 * * *");
  assertEquals([fit, misfit, cutMs], [{ fitting: 50, runs: 50 }, null, null]);
  assertEquals([coming.length, coming[0]], [8, NEWEST + 3 * DAY]);
  const daily = (few: string) =>
    `Does the plan fit? ${few} started as planned; the runs look like daily at 06:00`;
  assertEquals(compare(1, 5, "0 7 * * *").misfit, daily("None of the newest 5 runs"));
  assertEquals(compare(1, 5, "0 6 * * 0").misfit, daily("Of the newest 5 runs, only 1"));
  const weeks = { n: 2, from: "2026-03-08" };
  assertMatch(compare(14, 12, "0 6 * * 0", weeks).misfit!, /Sundays at 06:00, but in other weeks/);
  assertEquals([compare(1, 4, "0 6 * * *").fit, compare(0.5, 6, "0 6 * * *").misfit], [null, null]);
  // More slots than a plan gives at once, if all the runs were compared.
  assertEquals(compare(30, 50, "* * * * *").fit, { fitting: 13, runs: 13 });
});

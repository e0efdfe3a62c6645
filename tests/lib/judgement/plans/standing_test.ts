import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../../lib/time_units.ts";
import { inferPlan } from "../../../../lib/mod.ts";
import { runsAt } from "../runs_at.ts";

const BEGIN = Date.UTC(2025, 0, 1);

/** The plans inferred on each day of a daily schedule, which also ran at 14:00 on some days. */
function inferredOn(days: readonly number[], strays: readonly number[]) {
  return days.map((last) => {
    const starts = Array.from({ length: last + 1 }, (_, day) => BEGIN + day * DAY + 6 * HOUR);
    starts.push(...strays.filter((day) => day <= last).map((day) => BEGIN + day * DAY + 14 * HOUR));
    const runs = runsAt(starts.map((start, id) => start + id % 20 * 1000));
    return inferPlan(runs, { now: BEGIN + (last + 1) * DAY, zone: "UTC" })?.cron.join(", ");
  });
}

Deno.test("inferPlan: three runs at another time don't change an old plan", () => {
  for (const count of [60, 365]) {
    const days = Array.from({ length: 12 }, (_, after) => count - 1 + after);
    for (const strays of [[count - 2, count - 1], [count - 3, count - 2, count - 1]]) {
      assertEquals(new Set(inferredOn(days, strays)), new Set(["0 6 * * *"]));
    }
  }
});

Deno.test("inferPlan: enough runs at another time extend a plan, until as many are missing", () => {
  const days = [102, 103, 108, 114];
  const plans = inferredOn(days, [99, 100, 101, 102, 103]);
  assertEquals(plans[1], "0 6 * * *, 0 14 * * *");
  assertEquals(plans[3], "0 6 * * *");
});

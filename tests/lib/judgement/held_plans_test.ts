import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { heldPlans } from "../../../lib/judgement/held_plans.ts";
import type { Plan } from "../../../lib/mod.ts";

const BEGIN = Date.UTC(2026, 0, 5, 6);
const NOW = BEGIN + 30 * DAY;
/** Runs each day at 06:00. */
const DAILY = Float64Array.from({ length: 30 }, (_, day) => BEGIN + day * DAY);

function planAt(hour: number, since: number): Plan {
  return { cron: [`0 ${hour} * * *`], zone: "UTC", graceMs: 10 * MINUTE, since };
}

function heldUnder(plans: readonly Plan[], times = DAILY) {
  return heldPlans(times, { now: NOW, plans, firstStart: BEGIN, zone: "UTC" })
    .map(({ plan, from, until }) => [plan?.cron[0], from, until]);
}

Deno.test("heldPlans: each confirmed plan holds until the next, from runs a little early on", () => {
  const [first, second] = [BEGIN + 10 * DAY + 8 * HOUR, BEGIN + 20 * DAY + 9 * MINUTE];
  const plans = [planAt(8, 0), planAt(7, first), planAt(6, second), planAt(5, NOW)];
  assertEquals(heldUnder(plans), [
    ["0 8 * * *", BEGIN, first - 1],
    ["0 7 * * *", BEGIN + 11 * DAY, second - 1],
    ["0 6 * * *", BEGIN + 21 * DAY, NOW - 1],
    ["0 5 * * *", Infinity, undefined],
  ]);
  assertEquals(heldUnder([...plans.slice(0, 3), planAt(5, NOW + 1)]).length, 3);
  const early = DAILY.map((time) => time - MINUTE / 2);
  const [, changed] = heldUnder([planAt(8, 0), planAt(6, BEGIN + 20 * DAY)], early);
  assertEquals(changed[1], early[20]);
});

Deno.test("heldPlans: before the first confirmed plan, what the runs show; its own past stays", () => {
  const since = BEGIN + 20 * DAY + 9 * MINUTE;
  assertEquals(heldUnder([planAt(8, since)]), [
    ["0 6 * * *", BEGIN, undefined],
    // It judges the newest planned run before it, of the 24th at 08:00, too.
    ["0 8 * * *", BEGIN + 20 * DAY, undefined],
  ]);
  assertEquals(heldUnder([planAt(6, since)]), [["0 6 * * *", BEGIN, undefined]]);
  const atEight = DAILY.map((time) => time - 30 * DAY + 2 * HOUR);
  const held = heldUnder([planAt(6, since)], Float64Array.of(...atEight, ...DAILY));
  assertEquals(held.map(([cron]) => cron), ["0 8 * * *", "0 6 * * *"]);
  // A run within its grace belongs to the plan, and none is left for an earlier one.
  const alone = DAILY.subarray(20);
  assertEquals(heldUnder([planAt(8, since)], alone), [["0 8 * * *", BEGIN + 20 * DAY, undefined]]);
  // One that is still to come judges nothing before it.
  const coming = { now: NOW, plans: [planAt(8, NOW + DAY)], firstStart: BEGIN };
  assertEquals(heldPlans(DAILY, coming).at(-1)?.since, NOW + DAY);
});

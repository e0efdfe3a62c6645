import { assert, assertEquals } from "@std/assert";
import { planSlots } from "../../../../lib/runs/plans/plan.ts";
import { onlyExpected } from "../../../../server/observer/looking/expected_slots.ts";
import { rhythmOf } from "../../../../server/observer/looking/rhythm.ts";
import { countSpans } from "../../../lib/runs/plans/count_spans.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 20, 12);

const daily = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 10 * MINUTE, since: 0 };
const often = { ...daily, cron: ["* * * * *"], graceMs: 31 * DAY };

/** Minutes until the next look, and for which the verdict holds. */
function minutesOf(now: number, latestStart: number | null, plan = daily): [number, number] {
  const situation = { now, state: "up", plan, waitsMs: MINUTE, latestStart, isRunning: false };
  const { next, holdsUntil } = rhythmOf(situation, { everyMs: 2 * MINUTE, planSlots });
  return [next - now, holdsUntil - now].map((ms) => Math.round(ms / MINUTE)) as [number, number];
}

Deno.test("rhythmOf: soon while a run is awaited, at the end of its grace, and seldom otherwise", () => {
  const slot = NOON - 6 * HOUR;
  const yesterday = slot - DAY;
  assertEquals(minutesOf(NOON, slot), [60, 360]);
  assertEquals(minutesOf(slot - 5 * MINUTE, yesterday), [7, 5]);
  assertEquals(minutesOf(slot + MINUTE, yesterday), [2, 10]);
  assertEquals(minutesOf(slot + 10 * MINUTE, yesterday), [1, 1]);
  assertEquals(minutesOf(slot + 10 * MINUTE, slot), [60, 1]);
  assertEquals(minutesOf(slot + 30 * MINUTE, yesterday), [2, 360]);
  assertEquals(minutesOf(slot + 30 * MINUTE, null), [2, 360]);
  assertEquals(minutesOf(NOON, yesterday), [60, 360]);
});

Deno.test("rhythmOf: costs little where the grace has many slots", async () => {
  assertEquals(minutesOf(NOON + 10_000, null, often), [1, 1]);
  const { calls } = await countSpans("UTC", () => minutesOf(NOON + 10_000, null, often));
  assert(calls < 10, `slots were made ${calls} times`);
});

Deno.test("onlyExpected: leaves out the newest overdue slots, and looks only at those", async () => {
  const at = (minutes: number) => ({ at: NOON - minutes * MINUTE, id: String(minutes) });
  const overdue = Array.from({ length: 500 }, (_, place) => at(place + 6));
  const verdict = {
    state: "down",
    reasons: [{ code: "overdue", severity: "critical", since: null, runs: [], evidence: {} }],
    schedule: { plan: often, overdue, counts: { missed: 0, overdue: 500 } },
  } as unknown as Parameters<typeof onlyExpected>[0];
  const { calls } = await countSpans("UTC", () => {
    const { schedule, state } = onlyExpected(verdict, { now: NOON, lagMs: 3 * MINUTE });
    // Five minutes are always in time.
    assertEquals(schedule?.overdue[0], at(9));
    assertEquals([schedule?.counts.overdue, state], [497, "down"]);
    const { reasons } = onlyExpected(verdict, { now: NOON, lagMs: DAY });
    assertEquals(reasons, []);
  });
  assert(calls < 1000, `slots were made ${calls} times`);
});

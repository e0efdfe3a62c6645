import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../../lib/time_units.ts";
import {
  nextAfterFailure,
  nextPollOf,
  type PollSituation,
} from "../../../../server/observer/polling/next_poll.ts";
import { countSpans } from "../../../lib/judgement/plans/zones/count_spans.ts";

const NOON = Date.UTC(2026, 0, 20, 12);

const daily = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 10 * MINUTE, since: 0 };
const often = { ...daily, cron: ["* * * * *"], graceMs: 31 * DAY };

/** Minutes until the next poll. */
function minutesOf(
  now: number,
  latestStart: number | null,
  plan = daily,
  more: Partial<PollSituation> = {},
): number {
  const well = { state: "up", wrongSince: null, isDue: false, openStarts: [], stuckAfter: null };
  const situation = { now, plan, waitsMs: MINUTE, latestStart, ...well, ...more };
  return Math.round((nextPollOf(situation, 2 * MINUTE) - now) / MINUTE);
}

Deno.test("nextPollOf: soon while a run is awaited, at the end of its grace, and seldom otherwise", () => {
  const slot = NOON - 6 * HOUR;
  const yesterday = slot - DAY;
  assertEquals(minutesOf(NOON, slot), 60);
  assertEquals(minutesOf(slot - 5 * MINUTE, yesterday), 7);
  assertEquals(minutesOf(slot + MINUTE, yesterday), 2);
  assertEquals(minutesOf(slot + 10 * MINUTE, yesterday), 1);
  assertEquals(minutesOf(slot + 10 * MINUTE, slot), 60);
  assertEquals(minutesOf(slot + 30 * MINUTE, yesterday), 2);
  assertEquals(minutesOf(slot + 30 * MINUTE, null), 2);
  assertEquals(minutesOf(NOON, yesterday), 60);
  // What ran since the slot was not it.
  assertEquals(minutesOf(slot + 9 * MINUTE, slot, daily, { isDue: true }), 2);
});

Deno.test("nextPollOf: as seldom as something has been wrong for long, but once an hour", () => {
  const slot = NOON - 6 * HOUR;
  const wait = (wrongSince: number | null) =>
    minutesOf(NOON, slot, daily, { state: "down", wrongSince });
  assertEquals([null, HOUR, 8 * HOUR, 9 * DAY].map((ms) => wait(ms && NOON - ms)), [
    15,
    15,
    30,
    60,
  ]);
});

Deno.test("nextPollOf: an unfinished run is polled for less often the older it is, and when it is stuck", () => {
  const minutes = (...ages: readonly number[]) =>
    minutesOf(NOON, NOON - ages[0], daily, {
      openStarts: ages.map((age) => NOON - age),
      stuckAfter: 3 * HOUR,
    });
  assertEquals([0, 8 * MINUTE, HOUR].map((age) => minutes(age)), [2, 2, 2]);
  assertEquals([4 * HOUR, 30 * DAY].map((age) => minutes(age)), [30, 60]);
  // Each of those that go on counts.
  assertEquals(minutes(4 * HOUR, 3 * HOUR - MINUTE), 1);
  // One that starts in the future does not go on.
  assertEquals(minutes(-1000 * DAY), 60);
  assertEquals(minutes(-HOUR), 60);
});

Deno.test("nextPollOf: costs little where the grace has many slots", async () => {
  assertEquals(minutesOf(NOON + 10_000, null, often), 1);
  const { calls } = await countSpans("UTC", () => minutesOf(NOON + 10_000, null, often));
  assert(calls < 10, `slots were made ${calls} times`);
});

Deno.test("nextAfterFailure: waits longer each time, but polls for a run that is due meanwhile", () => {
  const slot = NOON - 6 * HOUR;
  const wait = (now: number, failures: number, more = {}) =>
    (nextAfterFailure(now, failures, { everyMs: MINUTE, plan: daily, ...more }) - now) / MINUTE;
  assertEquals([1, 2, 3, 4, 9].map((failures) => wait(NOON, failures)), [1, 2, 4, 5, 5]);
  assertEquals(wait(slot - MINUTE, 9), 2);
  assertEquals(wait(slot, 9), 1);
  assertEquals(wait(slot + MINUTE, 9), 5);
  // The grace ends at 06:10, or 06:11 if the service lists runs a minute late.
  assertEquals(wait(slot + 8 * MINUTE, 9), 2 + 1 / MINUTE);
  assertEquals(wait(slot + 8 * MINUTE, 9, { waitsMs: MINUTE }), 3 + 1 / MINUTE);
  assertEquals(wait(slot, 9, { notBefore: slot + 10 * MINUTE }), 10);
  assertEquals(wait(NOON, 1, { isStale: true }), 1 / 6);
});

import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Recipient } from "../../../lib/types.ts";
import { createRunCache, loadStoredRuns } from "../../../server/schedules/load_stored_runs.ts";

/** Schedules with three runs each, and the ids of those that are read. */
function setUp(recipients: Recipient[] = []) {
  const state = { read: [] as number[], version: 1 };
  const runs = {
    version: () => Promise.resolve(`v${state.version}`),
    newest(scheduleId: number, max: number) {
      state.read.push(scheduleId);
      const newest = [3, 2, 1].slice(0, max).map((id) => {
        const startTime = `2026-01-0${id}T06:00:00Z`;
        return { id, start: Date.parse(startTime), run: { id, startTime, recipients } };
      });
      return Promise.resolve(newest);
    },
  };
  const runCache = createRunCache();
  const load = (scheduleId: number, max = 3, isWhole = true) =>
    loadStoredRuns({ runs, runCache }, scheduleId, { max, isWhole });
  return { state, load };
}

Deno.test("loadStoredRuns: reads once for each version, schedule and number of runs", async () => {
  const { load, state } = setUp();
  const first = await load(7);
  const { runs: whole, ...known } = first;
  assertEquals(whole.map(({ id }) => id), [3, 2, 1]);
  assertEquals(known, { stopped: "end", olderUnread: false, newerUnread: false });
  assertStrictEquals(await load(7), first);
  for (const [fewer, count] of [[await load(7, 2), 2], [await load(7, 3, false), 3]] as const) {
    const { runs, stopped, olderUnread } = fewer;
    assertEquals([runs.length, stopped, olderUnread], [count, "enough", true]);
  }
  await load(8);
  assertEquals(state.read, [7, 7, 7, 8]);
  state.version++;
  await load(7);
  assertEquals(state.read, [7, 7, 7, 8, 7]);
});

Deno.test("loadStoredRuns: beyond the bound of the cache, what was used longest ago goes", async () => {
  // Of the 200,000 entries that it holds, each schedule takes 75,003.
  const { load, state } = setUp(Array<Recipient>(25_000).fill({ userId: 1 }));
  for (const scheduleId of [1, 2, 1, 3, 1, 2]) await load(scheduleId);
  assertEquals(state.read, [1, 2, 3, 2]);
});

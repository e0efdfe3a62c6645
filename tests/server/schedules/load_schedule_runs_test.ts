import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Backend } from "../../../lib/client/backend.ts";
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { createRunCache, loadScheduleRuns } from "../../../server/schedules/load_schedule_runs.ts";

/** A store of schedules with three runs each, which counts what is read. */
function setUp(maxSize?: number) {
  const read: number[] = [];
  let version = 1;
  const run = (id: number): ReportRun => ({ id, startTime: `2026-01-0${id}T06:00:00Z` });
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      history: (_, { skip = 0 } = {}) => Promise.resolve(skip === 0 ? [run(1)] : []),
    },
  };
  const store = {
    runsVersion: () => Promise.resolve(`v${version}`),
    newestRuns(scheduleId: number, most: number) {
      read.push(scheduleId);
      return Promise.resolve({ runs: [3, 2, 1].slice(0, most).map(run), hasOlder: most < 3 });
    },
  };
  const services = {
    store,
    backend,
    runCache: createRunCache(maxSize),
    runtime: systemRuntime(),
    zone: "UTC",
  };
  const { signal } = new AbortController();
  return {
    services,
    read,
    load: (scheduleId: number, runs?: number) =>
      loadScheduleRuns(services, scheduleId, { ...(runs && { runs }), signal }),
    write: () => void version++,
    signal,
  };
}

Deno.test("loadScheduleRuns: reads the store once for each version, schedule and number of runs", async () => {
  const { load, read, write } = setUp();
  const first = await load(7);
  assertEquals([first.runs.map(({ id }) => id), first.stopped, first.olderUnread], [
    [3, 2, 1],
    "end",
    false,
  ]);
  assertStrictEquals(await load(7), first);
  const fewer = await load(7, 2);
  assertEquals([fewer.runs.length, fewer.stopped, fewer.olderUnread], [2, "enough", true]);
  await load(8);
  assertEquals(read, [7, 7, 8]);
  write();
  await load(7);
  assertEquals(read, [7, 7, 8, 7]);
});

Deno.test("loadScheduleRuns: beyond the bound of the cache, the one asked for longest ago goes", async () => {
  // Each has three runs and counts as one itself.
  const { load, read } = setUp(9);
  for (const scheduleId of [1, 2, 1, 3, 1, 2]) await load(scheduleId);
  assertEquals(read, [1, 2, 3, 2]);
});

Deno.test("loadScheduleRuns: an upstream is asked each time, as the reader's token sees it", async () => {
  const { services, read, signal } = setUp();
  const loaded = await loadScheduleRuns({ ...services, store: null }, 7, { signal });
  assertEquals([loaded.runs.map(({ id }) => id), read], [[1], []]);
});

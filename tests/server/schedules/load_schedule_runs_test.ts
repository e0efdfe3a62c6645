import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Backend } from "../../../lib/client/backend.ts";
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import type { Recipient } from "../../../lib/types.ts";
import { createRunCache, loadScheduleRuns } from "../../../server/schedules/load_schedule_runs.ts";

const run = (id: number) => ({ id, startTime: `2026-01-0${id}T06:00:00Z` });

/** A store of schedules with three runs each, which notes what is read, before another service. */
function setUp(recipients: Recipient[] = []) {
  const withRecipients = (id: number) => ({ ...run(id), recipients });
  const state = { read: [] as number[], version: 1 };
  const history = (_: number, { skip = 0 } = {}) => Promise.resolve(skip === 0 ? [run(1)] : []);
  const backend = { reportSchedules: { history } } as unknown as Backend;
  const store = {
    runsVersion: () => Promise.resolve(`v${state.version}`),
    newestRuns(scheduleId: number, most: number) {
      state.read.push(scheduleId);
      return Promise.resolve({
        runs: [3, 2, 1].slice(0, most).map(withRecipients),
        hasOlder: most < 3,
      });
    },
  };
  const cached = { runCache: createRunCache(), runtime: systemRuntime(), zone: "UTC" };
  const { signal } = new AbortController();
  const load = async (scheduleId: number, runs?: number, from: Partial<{ store: null }> = {}) => {
    const options = { ...(runs && { runs }), signal };
    const services = { store, backend, ...cached, ...from };
    return await loadScheduleRuns(services, scheduleId, options);
  };
  return { state, load };
}

Deno.test("loadScheduleRuns: reads the store once for each version, schedule and number of runs", async () => {
  const { load, state } = setUp();
  const first = await load(7);
  const { runs: whole, ...known } = first;
  assertEquals(whole.map(({ id }) => id), [3, 2, 1]);
  assertEquals(known, { stopped: "end", olderUnread: false, newerUnread: false });
  assertStrictEquals(await load(7), first);
  const fewer = await load(7, 2);
  assertEquals([fewer.runs.length, fewer.stopped, fewer.olderUnread], [2, "enough", true]);
  await load(8);
  assertEquals(state.read, [7, 7, 8]);
  state.version++;
  await load(7);
  assertEquals(state.read, [7, 7, 8, 7]);
  // An upstream is asked each time, as the reader's token sees it.
  assertEquals((await load(7, undefined, { store: null })).runs.map(({ id }) => id), [1]);
  assertEquals(state.read.length, 4);
});

Deno.test("loadScheduleRuns: beyond the bound of the cache, the one asked for longest ago goes", async () => {
  // Of the 200,000 entries that it holds, each schedule takes 75,004.
  const { load, state } = setUp(Array<Recipient>(25_000).fill({ userId: 1 }));
  for (const scheduleId of [1, 2, 1, 3, 1, 2]) await load(scheduleId);
  assertEquals(state.read, [1, 2, 3, 2]);
});

import { assert, assertEquals } from "@std/assert";
import type { Backend } from "../../../../lib/client/backend.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { readChanges } from "../../../../server/observer/polling/read_changes.ts";
import { HOUR, runWell, START, withWorld } from "../world.ts";

Deno.test("readWhole: a long history is read once to its end, and then only what is new", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5000 * HOUR, 5000);
    await world.until(START + 60_000);
    assertEquals(await world.records.runs.count(1), 5000);
    assertEquals(await world.records.values.text("history read/1"), "whole");
    const read = world.requests.length;
    await world.until(START + 10 * 60_000);
    assert(world.requests.length - read < 15, `${world.requests.length - read} more requests`);
  }));

Deno.test("readChanges: if the oldest runs come first, reads the newest even if older ones were removed here", async () => {
  const runs = Array.from({ length: 3001 }, (_, at) => {
    const time = new Date(START + at * HOUR).toISOString();
    return { id: at + 1, startTime: time, endTime: time, status: "success" } as ReportRun;
  });
  const history = (_: number, { limit = 100, skip = 0 } = {}) =>
    Promise.resolve(runs.slice(skip, skip + limit));
  const newest = runs.slice(-51, -1).reverse()
    .map((run) => ({ id: run.id, start: Date.parse(run.startTime!), text: JSON.stringify(run) }));
  const { put, removed } = await readChanges(
    { reportSchedules: { history } } as unknown as Backend,
    1,
    { newest, count: 400 },
    { now: START + 3001 * HOUR, zone: "UTC", signal: AbortSignal.timeout(5000) },
  );
  assertEquals([put.at(-1)!.id, removed], [3001, []]);
});

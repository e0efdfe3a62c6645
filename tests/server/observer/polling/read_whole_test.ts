import { assert, assertEquals } from "@std/assert";
import type { Backend } from "../../../../lib/client/backend.ts";
import { HOUR } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { coverageOf } from "../../../../server/inventory/coverage.ts";
import { readChanges } from "../../../../server/observer/polling/read_changes.ts";
import { runWell, START, withWorld } from "../world.ts";

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

Deno.test("readWhole: a history that nobody watches is read on after a failure, not only the next day", () =>
  withWorld([], async (world) => {
    const { watches, values } = world.records;
    const isRead = async () => await values.text("history read/1");
    world.histories.set(1, []);
    runWell(world, 1, START - 2500 * HOUR, 2500);
    await watches.add([1], START, {}, undefined, { watched: 0 });
    // The first poll makes four requests for the newest runs, and then reads on: the first failure
    // comes after one page, the second before any.
    world.fault = () => [6, 8].includes(world.requests.length) ? new TypeError("away") : null;
    await world.until(START + 60_000);
    assertEquals([await isRead(), world.requests.length], ["250", 8]);
    const coverage = "1 schedule known; the service was never asked which ones it has";
    const unread = `${coverage}; 1 schedule is not read to the end yet`;
    assertEquals(await coverageOf(world.records, "UTC"), unread);
    await world.until(START + 2 * HOUR);
    assertEquals(await isRead(), "whole");
    assertEquals(await coverageOf(world.records, "UTC"), coverage);
  }));

Deno.test("readWhole: a service that repeats its rows is read on at the next usual poll, not at once", () =>
  withWorld([], async (world) => {
    const { watches } = world.records;
    world.histories.set(1, []);
    runWell(world, 1, START - 2500 * HOUR, 2500);
    world.mostSkipped = 1500;
    await watches.add([1], START, {}, undefined, { watched: 0 });
    await world.until(START + 30 * 60_000);
    assert(world.requests.length < 20, `${world.requests.length} requests`);
  }));

/** Runs of each hour, oldest first. */
const RUNS = Array.from({ length: 3001 }, (_, at): ReportRun => {
  const time = new Date(START + at * HOUR).toISOString();
  return { id: at + 1, startTime: time, endTime: time, status: "success" };
});

function backendOf(runs: readonly ReportRun[]): Backend {
  const history = (_: number, { limit = 100, skip = 0 } = {}) =>
    Promise.resolve(runs.slice(skip, skip + limit));
  return { reportSchedules: { history } } as unknown as Backend;
}

Deno.test("readChanges: if the oldest runs come first, reads the newest even if older ones were removed here", async () => {
  const newest = RUNS.slice(-51, -1).reverse()
    .map((run) => ({ id: run.id, start: Date.parse(run.startTime!), text: JSON.stringify(run) }));
  const { put, removed } = await readChanges(
    backendOf(RUNS),
    1,
    { newest, count: 400 },
    { now: START + 3001 * HOUR, zone: "UTC", signal: AbortSignal.timeout(5000) },
  );
  assertEquals([put.at(-1)!.id, removed], [3001, []]);
});

Deno.test("readChanges: if the newest runs come first, reads a thousand of them", async () => {
  const { put, isWhole } = await readChanges(
    backendOf(RUNS.toReversed()),
    1,
    { newest: [], count: 0 },
    { now: START + 3001 * HOUR, zone: "UTC", signal: AbortSignal.timeout(5000) },
  );
  assertEquals([put.length, put[0].id, isWhole], [1000, 3001, false]);
});

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Backend } from "../../../lib/client/backend.ts";
import { NetworkError } from "../../../lib/errors.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { coverageText } from "../../../server/schedules/coverage.ts";
import { readChanges, type StoredHistory } from "../../../server/observer/read_changes.ts";
import { StaleAnswerError } from "../../../server/observer/service_access.ts";
import type { StoredRunText } from "../../../server/store/runs/read_runs.ts";
import { runWell, START, withWorld, type World } from "./world.ts";
import { sql } from "../../../server/store/database/sql.ts";

/** How many runs of the only history were read, from the newest; null for all. */
async function historyRead({ database }: World): Promise<number | null> {
  const statement = sql`SELECT history_read FROM known_schedules`;
  const rows = await database.read<{ historyRead: number | null }>(statement);
  return rows[0].historyRead;
}

Deno.test("readWhole: reads a long history once, then only what is new", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 2600 * HOUR, 2600);
    await world.until(START + 60_000);
    assertEquals(await world.records.runs.count(1), 2600);
    assertEquals(await historyRead(world), null);
    const read = world.requests.length;
    await world.until(START + 10 * 60_000);
    assert(world.requests.length - read < 15, `${world.requests.length - read} more requests`);
  }));

Deno.test("readWhole: an unwatched history goes on a day after a failure", () =>
  withWorld([], async (world) => {
    const { watches } = world.records;
    const isRead = () => historyRead(world);
    world.histories.set(1, []);
    runWell(world, 1, START - 2500 * HOUR, 2500);
    await watches.add([1], START, {}, undefined, { watched: 0 });
    // The first poll makes four requests for the newest runs, and then reads on: the first failure
    // comes after one page, the second before any.
    world.fault = () => [6, 8].includes(world.requests.length) ? new NetworkError("away") : null;
    await world.until(START + 60_000);
    assertEquals([await isRead(), world.requests.length], [250, 8]);
    const coverage = "1 schedule known; no ids scanned";
    const unread = `${coverage}; 1 not read to the end yet`;
    assertEquals(await coverageText(world.records, "UTC"), unread);
    await world.until(START + DAY + MINUTE);
    assertEquals(await isRead(), null);
    assertEquals(await coverageText(world.records, "UTC"), coverage);
  }));

/** Runs of each half hour, oldest first. */
const RUNS = Array.from({ length: 3001 }, (_, at): ReportRun => {
  const time = new Date(START + at * HOUR / 2).toISOString();
  return { id: at + 1, startTime: time, endTime: time, status: "success" };
});

/** What is read from a service with these runs, half an hour after the last of `RUNS`. */
function changesFrom(runs: readonly ReportRun[], stored: StoredHistory) {
  const history = (_: number, { limit = 100, skip = 0 } = {}) =>
    Promise.resolve(runs.slice(skip, skip + limit));
  const backend = { reportSchedules: { history } } as unknown as Backend;
  const { signal } = new AbortController();
  return readChanges(backend, 1, stored, { now: START + 3001 * HOUR / 2, zone: "UTC", signal });
}

const storedRun = (run: ReportRun): StoredRunText => {
  return { id: run.id, start: Date.parse(run.startTime!), text: JSON.stringify(run) };
};

Deno.test("readChanges: whichever runs come first, reads the newest, each once", async () => {
  const newest = RUNS.slice(-51, -1).reverse().map(storedRun);
  const oldestFirst = await changesFrom(RUNS, { newest, count: 400 });
  const { put, removed, isWhole } = oldestFirst;
  assertEquals([put.at(-1)!.id, removed, isWhole], [3001, [], false]);
  const all = await changesFrom(RUNS.toReversed(), { newest: [], count: 0 });
  assertEquals([all.put.length, all.put[0].id, all.isWhole], [1000, 3001, false]);
  const three = RUNS.slice(-3).reverse();
  const twice = await changesFrom([three[0], ...three], { newest: [], count: 0 });
  assertEquals(twice.put.map(({ id }) => id), three.map(({ id }) => id));
});

Deno.test("readChanges: finds the newest run of a history in no order, and misses none", async () => {
  for (const count of [120, 400, 1400]) {
    const runs = RUNS.slice(-count);
    // It begins with the oldest, and one of seven is near the end.
    const mixed = runs.toSorted((a, b) => a.id % 7 - b.id % 7 || a.id - b.id);
    const newest = runs.slice(-51, -1).reverse().map(storedRun);
    const { put, removed, isWhole } = await changesFrom(mixed, { newest, count: count - 1 });
    assertEquals([put.some(({ id }) => id === 3001), removed, isWhole], [true, [], true]);
  }
});

Deno.test("readChanges: finds runs listed late, and reads 48 hours again for an unfinished one", async () => {
  const runs = RUNS.toReversed();
  const endedSince = async (at: number) => {
    const newest = runs.slice(0, 300).map(storedRun);
    newest[at] = storedRun({ ...runs[at], endTime: undefined });
    return (await changesFrom(runs, { newest, count: 300 })).put.map(({ id }) => id);
  };
  assertEquals([await endedSince(94), await endedSince(95)], [[runs[94].id], []]);
  const newest = runs.toSpliced(9, 1).slice(0, 50).map(storedRun);
  const { put } = await changesFrom(runs, { newest, count: 300 });
  assertEquals(put.map(({ id }) => id), [runs[9].id]);
});

Deno.test("readChanges: an answer that lacks runs, or shows one before it ended, is stale", async () => {
  const runs = RUNS.slice(-60).reverse();
  const newest = runs.slice(0, 50).map(storedRun);
  const reopened = runs.with(0, { ...runs[0], endTime: undefined });
  const answers = [
    [[], "lacks 50 runs that were read before, such as 3001"],
    [runs.toSpliced(3, 1), "lacks 1 run that were read before, such as 2998"],
    [reopened, "shows run 3001 as it was before it ended"],
  ] as const;
  for (const [answer, words] of answers) {
    const read = () => changesFrom(answer, { newest, count: 60 });
    const { message } = await assertRejects(read, StaleAnswerError);
    assertEquals(message, `The answer is stale: schedule 1 ${words}`);
  }
  // The service may drop old ones.
  assertEquals((await changesFrom(runs.slice(0, 40), { newest, count: 60 })).removed, []);
});

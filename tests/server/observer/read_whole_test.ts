import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Backend } from "../../../lib/client/backend.ts";
import { NetworkError } from "../../../lib/errors.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { coverageText } from "../../../server/schedules/coverage.ts";
import { readChanges } from "../../../server/observer/read_changes.ts";
import { StaleAnswerError } from "../../../server/observer/service_access.ts";
import type { StoredRunText } from "../../../server/store/runs/read_runs.ts";
import { momentsFrom, runsAt } from "../../lib/judgement/runs_at.ts";
import { runWell, START, withWorld, type World } from "./world.ts";
import { sql } from "../../../server/store/database/sql.ts";

/** How many runs of the only history were read, from the newest; null for all. */
async function historyRead({ database }: World): Promise<number | null> {
  const statement = sql`SELECT history_read FROM known_schedules`;
  const rows = await database.read<{ historyRead: number | null }>(statement);
  return rows[0].historyRead;
}

Deno.test("readWhole: reads a long history once, and goes on a day after a failure", () =>
  withWorld([], async (world) => {
    const { watches, runs } = world.records;
    world.histories.set(1, []);
    runWell(world, 1, START - 2500 * HOUR, 2500, { recipients: [{ userId: 1 }] });
    await watches.add([1], START, {}, undefined, { watched: 0 });
    // The first poll makes four requests for the newest runs, and then reads on: the first failure
    // comes after one page, the second before any.
    world.fault = () => [6, 8].includes(world.requests.length) ? new NetworkError("away") : null;
    await world.until(START + 60_000);
    assertEquals([await historyRead(world), world.requests.length], [250, 8]);
    const coverage = "1 schedule known; no ids scanned";
    const unread = `${coverage}; 1 not read to the end yet`;
    assertEquals(await coverageText(world.records, "UTC"), unread);
    await world.until(START + DAY + MINUTE);
    assertEquals([await historyRead(world), await runs.count(1)], [null, 2500]);
    assertEquals(await coverageText(world.records, "UTC"), coverage);
    const read = world.requests.length;
    await world.poll();
    assert(world.requests.length - read < 5, `${world.requests.length - read} more requests`);
  }));

/** Runs of each half hour, oldest first, and newest first. */
const RUNS = runsAt(momentsFrom(START, 3001, HOUR / 2), 0);
const LATEST = RUNS.toReversed();

/** What is read of a service with these runs, half an hour after the last, where these are stored. */
function changesFrom(runs: readonly ReportRun[], known: readonly ReportRun[], count: number) {
  const history = (_: number, { limit = 100, skip = 0 } = {}) =>
    Promise.resolve(runs.slice(skip, skip + limit));
  const backend = { reportSchedules: { history } } as unknown as Backend;
  const newest = known.map((run): StoredRunText => {
    return { id: run.id, start: Date.parse(run.startTime!), text: JSON.stringify(run) };
  });
  const { signal } = new AbortController();
  const options = { now: START + 3001 * HOUR / 2, zone: "UTC", signal };
  return readChanges(backend, 1, { newest, count }, options);
}

Deno.test("readChanges: reads what is new of a history in any order, and what is late", async () => {
  const newest = LATEST.slice(1, 51);
  const isGoing = (at: number) => LATEST.slice(0, 300).with(at, { ...LATEST[at], endTime: null });
  // It begins with the oldest, and one of seven is near the end.
  const mixed = (count: number) =>
    RUNS.slice(-count).sort((a, b) => a.id % 7 - b.id % 7 || a.id - b.id);
  const swapped = LATEST.slice(0, 1400).map((_, at) => LATEST[at % 2 ? at - 1 : at + 1]);
  /** The answer, the stored runs and how many there are; how many are new, and the newest of them. */
  const rows = [
    { answer: RUNS, stored: newest, count: 400, latest: 3000 },
    { answer: LATEST, latest: 3000, length: 1000 },
    { answer: [LATEST[0], ...LATEST.slice(0, 3)], latest: 3000, length: 3, isWhole: true },
    { answer: mixed(120), stored: newest, count: 119, latest: 3000, isWhole: true },
    { answer: mixed(400), stored: newest, count: 399, latest: 3000, isWhole: true },
    { answer: mixed(1400), stored: newest, count: 1399, latest: 3000, isWhole: true },
    // The newest come nearly first.
    { answer: swapped, stored: newest, count: 1399, latest: 3000, length: 950 },
    // What goes on is read again for 48 hours.
    { answer: LATEST, stored: isGoing(94), count: 300, latest: LATEST[94].id, length: 1 },
    { answer: LATEST, stored: isGoing(95), count: 300, length: 0 },
    { answer: LATEST, stored: LATEST.slice(40, 90), latest: 3000, length: 40 },
    { answer: LATEST, stored: LATEST.toSpliced(9, 1).slice(0, 50), latest: 2991, length: 1 },
    // The service may drop old ones.
    { answer: LATEST.slice(0, 40), stored: LATEST.slice(0, 50), length: 0 },
  ];
  for (const { answer, stored = [], count = stored.length, latest, length, ...row } of rows) {
    const { put, removed, isWhole } = await changesFrom(answer, stored, count);
    const ids = put.map(({ id }) => id).sort((a, b) => b - a);
    assertEquals([ids[0], removed, isWhole], [latest, [], row.isWhole ?? false]);
    assertEquals(ids.length, length ?? ids.length);
  }
});

Deno.test("readChanges: an answer that lacks runs, or shows one before it ended, is stale", async () => {
  const runs = LATEST.slice(0, 60);
  const answers = [
    [[], "lacks 50 runs that were read before, such as 3000"],
    [runs.toSpliced(3, 1), "lacks 1 run that was read before, such as 2997"],
    [runs.with(0, { ...runs[0], endTime: null }), "shows run 3000 as it was before it ended"],
  ] as const;
  for (const [answer, words] of answers) {
    const read = () => changesFrom(answer, runs.slice(0, 50), 60);
    const { message } = await assertRejects(read, StaleAnswerError);
    assertEquals(message, `The answer is stale: schedule 1 ${words}`);
  }
});

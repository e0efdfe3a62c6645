import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { judgeStored } from "../../../server/observer/judging/judging_questions.ts";
import { createObserver } from "../../../server/observer/observer.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { storeRuns } from "../../../server/store/runs/store_runs.ts";
import { openSqlite } from "../../../server/store/database/sqlite.ts";
import { storeOn } from "../../../server/store/store.ts";
import { run } from "../store/rows.ts";
import { START } from "./world.ts";

Deno.test("pollSchedule: judges again what was stored in the embedded service since the last poll", async () => {
  const database = await openSqlite({ path: ":memory:" });
  const records = observerRecordsOn(database);
  const store = storeOn(database);
  let now = START;
  const judged: number[] = [];
  const observer = createObserver({
    records,
    access: { backend: store, pausedUntil: () => 0, clock: null },
    judge: (question) => {
      judged.push(JSON.parse(question.runs).length);
      return Promise.resolve(judgeStored(question));
    },
    outlets: [],
    now: () => now,
    zone: "UTC",
    everyMs: MINUTE,
    origin: "https://docket.example.com",
    heartbeatUrl: null,
    onEvent: () => {},
  });
  /** Stores the run that started then, and polls. */
  const poll = async (at: number, start?: number, status = "success") => {
    now = at;
    const startTime = new Date(start ?? 0).toISOString();
    const runs = start === undefined ? [] : [run(start / 1000, { startTime, status })];
    const read = runs.map((run) => ({ scheduleId: 1, run, start: start! }));
    await database.transaction((transaction) => storeRuns(transaction, read, now));
    await records.polls.makeDue(1, now);
    await observer.pollDue();
  };
  await store.put({ schedules: [1] });
  await records.watches.add([1], START);
  await poll(START, START - HOUR);
  await poll(START + 10 * MINUTE, START - 5 * MINUTE, "failure");
  assertEquals(judged, [1, 2]);
  assertEquals((await records.verdicts.get(1))?.state, "down");
  // What was stored shortly before the last poll may not have been seen by it.
  await poll(START + 20 * MINUTE);
  const before = judged.length;
  await poll(START + 25 * MINUTE);
  assertEquals(judged.length, before);
  await poll(START + 30 * MINUTE, START - 5 * MINUTE, "success");
  assertEquals((await records.verdicts.get(1))?.failing, 0);
  assertEquals(await records.runs.count(1), 2);
  await database.close();
});

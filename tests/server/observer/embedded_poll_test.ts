import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { storeRuns } from "../../../server/store/runs/store_runs.ts";
import { storeOn } from "../../../server/store/store.ts";
import { run } from "../store/rows.ts";
import { START, withWorld } from "./world.ts";

Deno.test("pollSchedule: judges again what was stored in the embedded service since the last poll", () =>
  withWorld([1], async ({ database, records, observer, sleepUntil }) => {
    /** Stores the run that started then, and polls; returns when it was last judged, in minutes. */
    const poll = async (minute: number, start?: number, status = "success") => {
      const at = START + minute * MINUTE;
      sleepUntil(at);
      const startTime = new Date(start ?? 0).toISOString();
      const runs = start === undefined ? [] : [run(start / 1000, { startTime, status })];
      const read = runs.map((run) => ({ scheduleId: 1, run, start: start! }));
      await database.transaction((transaction) => storeRuns(transaction, read, at));
      await records.polls.makeDue(1, at);
      await observer.pollDue();
      const { judged, state } = (await records.verdicts.get(1))!;
      return [(judged - START) / MINUTE, state];
    };
    await storeOn(database).put({ schedules: [1] });
    assertEquals(await poll(0, START - HOUR), [0, "up"]);
    assertEquals(await poll(10, START - 5 * MINUTE, "failure"), [10, "down"]);
    // What was stored shortly before the last poll may not have been seen by it.
    assertEquals(await poll(12), [12, "down"]);
    await poll(13);
    assertEquals(await poll(14), [13, "down"]);
    assertEquals((await poll(30, START - 5 * MINUTE))[0], 30);
    assertEquals((await records.verdicts.get(1))!.failing, 0);
    assertEquals(await records.runs.count(1), 2);
  }, { isEmbedded: true }));

for (const [when, storedAt, waits] of [["start", 0, 0], ["end", 45, 46]] as const) {
  Deno.test(`pollSchedule: waits for embedded runs as late as they are stored, at their ${when}`, () =>
    withWorld([1], async ({ database, records, until }) => {
      const store = (days: readonly number[], at: number) =>
        database.transaction((transaction) => {
          const runs = days.map((day) => {
            const start = START + day * DAY;
            const [startTime, endTime] = [start, start + 45 * MINUTE]
              .map((time) => new Date(time).toISOString());
            return { scheduleId: 1, start, run: run(1000 + day, { startTime, endTime }) };
          });
          return storeRuns(transaction, runs, at);
        });
      await storeOn(database).put({ schedules: [1] });
      await store(Array.from({ length: 60 }, (_, index) => index - 60), START - DAY);
      const opened = async () => {
        const { items } = await records.incidents.list({ limit: 9 });
        return items.map(({ opened }) => Math.round((opened - START - 2 * DAY) / MINUTE));
      };
      for (const day of [0, 1]) {
        const at = START + day * DAY + storedAt * MINUTE;
        await until(at);
        await store([day], at);
        await records.polls.makeDue(1, at);
        await until(START + (day + 1) * DAY - 1);
      }
      const before = await opened();
      await until(START + 2 * DAY + 3 * HOUR);
      const { details } = (await records.verdicts.get(1))!;
      const graceMinutes = details.plan!.graceMs / MINUTE;
      assertEquals([before, await opened()], [[], [graceMinutes + waits]]);
    }, { isEmbedded: true, plans: () => null }));
}

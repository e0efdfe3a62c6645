import { assertEquals } from "@std/assert";
import { importValues } from "../../../../server/store/import/import_values.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { type Store, storeOn } from "../../../../server/store/store.ts";
import { fileSet } from "../rows.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";

type Options = Partial<Parameters<typeof importValues>[2]>;

/** Imports rows, with some of the options. */
const take = (store: Store, rows: readonly unknown[], options: Options = {}) => {
  const values = rows.map((value) => ({ location: "", value }));
  const silent = { onBatch: () => {}, onIssue: () => {} };
  return importValues(store, ReadableStream.from([values]), { ...silent, ...options });
};

Deno.test("importValues: what comes before the first entries is done once, if there are any", () =>
  withSqlite(async (database) => {
    let calls = 0;
    const beforeFirst = () => Promise.resolve(void calls++);
    const store = storeOn(database);
    assertEquals([(await take(store, [{}], { beforeFirst })).rejected, calls], [1, 0]);
    const rows = [1, 2, 3].map((n) => fileSet(n));
    assertEquals([(await take(store, rows, { beforeFirst, batch: 1 })).added, calls], [3, 1]);
  }));

Deno.test("importValues: schedules of runs become known; those that are known stay as they are", () =>
  withSqlite(async (database) => {
    const { watches } = observerRecordsOn(database);
    await watches.add([7], 1, { name: "Sales" });
    const before = await watches.get(7);
    const runs = [7, 500, 500].map((scheduleId, id) => ({ scheduleId, id }));
    await take(storeOn(database), [fileSet(1), ...runs]);
    const known = await watches.known([7, 500]);
    assertEquals(await watches.countKnown(), 2);
    assertEquals({ ...known.get(7)!, due: 1 }, before);
    const { watched, source, name } = known.get(500)!;
    assertEquals([watched, source, name], [0, "import", ""]);
  }));

Deno.test("importValues: times of runs without a zone are of the service's zone", () =>
  withSqlite(async (database) => {
    const store = storeOn(database);
    const run = { scheduleId: 7, id: 1, startTime: "2026-11-20 05:00:00", endTime: null };
    await take(store, [run], { zone: "Europe/Berlin" });
    const [{ startTime }] = await store.reportSchedules.history(7);
    assertEquals(startTime, "2026-11-20T04:00:00.000Z");
  }));

import { assertEquals } from "@std/assert";
import { importValues } from "../../../../server/store/import/import_values.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { fileSet } from "../rows.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";

Deno.test("importValues: what comes before the first entries is done once, if there are any", () =>
  withSqlite(async (database) => {
    let calls = 0;
    const take = (...rows: readonly unknown[]) =>
      importValues(
        storeOn(database),
        ReadableStream.from([rows.map((value) => ({ location: "", value }))]),
        {
          batch: 1,
          beforeFirst: () => Promise.resolve(void calls++),
          onBatch: () => {},
          onIssue: () => {},
        },
      );
    assertEquals([(await take({})).rejected, calls], [1, 0]);
    assertEquals([(await take(fileSet(1), fileSet(2), fileSet(3))).added, calls], [3, 1]);
  }));

Deno.test("importValues: schedules of runs become known; those that are known stay as they are", () =>
  withSqlite(async (database) => {
    const { watches } = observerRecordsOn(database);
    await watches.add([7], 1, { name: "Sales" });
    const before = await watches.get(7);
    const rows = [fileSet(1), ...[7, 500, 500].map((scheduleId, id) => ({ scheduleId, id }))];
    const given = rows.map((value) => ({ location: "", value }));
    const options = { onBatch: () => {}, onIssue: () => {} };
    await importValues(storeOn(database), ReadableStream.from([given]), options);
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
    const options = { zone: "Europe/Berlin", onBatch: () => {}, onIssue: () => {} };
    await importValues(store, ReadableStream.from([[{ location: "", value: run }]]), options);
    const [{ startTime }] = await store.reportSchedules.history(7);
    assertEquals(startTime, "2026-11-20T04:00:00.000Z");
  }));

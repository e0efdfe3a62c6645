import { assertEquals } from "@std/assert";
import { importValues } from "../../../../server/store/import/import_values.ts";
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

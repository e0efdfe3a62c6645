import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { FIELDS } from "../../../../server/store/fields.ts";
import { openSqliteStore } from "../../../../server/store/sqlite/engine.ts";
import { orderBy } from "../../../../server/store/sql.ts";
import { testStoreContract } from "../contract.ts";
import { fileSet, run } from "../rows.ts";

testStoreContract("SQLite", async (work) => {
  const store = await openSqliteStore({ path: ":memory:" });
  try {
    await work(store);
  } finally {
    await store.close();
  }
});

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(`${folder}/docket.sqlite`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openSqliteStore: keeps rows in its file", () =>
  inFolder(async (path) => {
    const first = await openSqliteStore({ path });
    await first.put({ fileSets: [fileSet(1)], runs: [{ scheduleId: 5, run: run(1) }] });
    await first.close();
    const second = await openSqliteStore({ path });
    assertEquals((await second.fileSets.search()).fileSets, [fileSet(1)]);
    assertEquals(await second.reportSchedules.history(5), [run(1)]);
    await second.close();
  }));

Deno.test("openSqliteStore: two connections see each other's rows", () =>
  inFolder(async (path) => {
    const stores = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })]);
    await stores[0].put({ fileSets: [fileSet(1)] });
    await stores[1].put({ fileSets: [fileSet(2)] });
    for (const store of stores) {
      assertEquals((await store.fileSets.search()).pageContext.total, 2);
      await store.close();
    }
  }));

Deno.test("openSqliteStore: refuses a database of a newer Docket", () =>
  inFolder(async (path) => {
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 1000");
    db.close();
    await assertRejects(() => openSqliteStore({ path }), Error, "newer Docket");
  }));

Deno.test("openSqliteStore: every table is strict, and the journal is a write-ahead log", () =>
  inFolder(async (path) => {
    await (await openSqliteStore({ path })).close();
    const db = new DatabaseSync(path);
    const tables = db.prepare("SELECT name, strict FROM pragma_table_list WHERE type = 'table'")
      .all().filter((table) => !String(table.name).startsWith("sqlite_"));
    assert(tables.length >= 3);
    assertEquals(tables.filter((table) => table.strict !== 1), []);
    assertEquals(db.prepare("PRAGMA journal_mode").get()!.journal_mode, "wal");
    db.close();
  }));

Deno.test("openSqliteStore: no sort by one field sorts the whole table", () =>
  inFolder(async (path) => {
    await (await openSqliteStore({ path })).close();
    const db = new DatabaseSync(path);
    for (const field of FIELDS) {
      for (const descending of [false, true]) {
        const order = orderBy([{ field, descending }]);
        const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT key FROM file_sets ${order}`).all()
          .map((step) => String(step.detail));
        assert(plan[0].includes("USING COVERING INDEX"), `${order}: ${plan}`);
        // Only ties may be sorted, of fields where they are few.
        const sorting = plan.slice(1).filter((step) =>
          step !== "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"
        );
        assertEquals(sorting, [], order);
        const hasManyTies = !["name", "created", "updated"].includes(field.name);
        if (hasManyTies) assertEquals(plan.length, 1, `${order}: ${plan}`);
      }
    }
    db.close();
  }));

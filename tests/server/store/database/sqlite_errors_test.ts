import { assert, assertEquals } from "@std/assert";
import { Sql, sql } from "../../../../server/store/database/sql.ts";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { fileSet } from "../rows.ts";
import { inFolder } from "../sqlite/folder.ts";

async function kindOf(work: PromiseLike<unknown>): Promise<string> {
  const error = await work.then(() => null, (error) => error);
  assert(error instanceof DatabaseError, `no error of the database: ${error}`);
  assertEquals(error.problem.status, 503);
  return error.kind;
}

Deno.test("openSqlite: a full disk is reported, searches continue, and writes do once there is space", () =>
  inFolder(async (path) => {
    const database = await openSqlite({ path });
    const store = storeOn(database);
    await store.put({ fileSets: [fileSet(1)] });
    const token = (await store.tokens.add("ci", "reader", new Date(0)))!;
    const mostPages = (count: number) =>
      database.maintain(new Sql([{ text: `PRAGMA max_page_count = ${count}` }]));
    await mostPages(1);
    const many = { fileSets: Array.from({ length: 1000 }, (_, n) => fileSet(n)) };
    assertEquals(await kindOf(store.put(many)), "full");
    assertEquals(await kindOf(store.load([many])), "full");
    assertEquals((await store.fileSets.search({})).fileSets, [fileSet(1)]);
    assert(await store.tokens.find(token, new Date()));
    await mostPages(1_000_000);
    await store.put(many);
    assertEquals((await store.fileSets.search({})).pageContext.total, 1000);
    await store.close();
  }));

Deno.test("openSqlite: a file that is no database and a missing folder are reported", () =>
  inFolder(async (path) => {
    assertEquals(
      await kindOf(openSqlite({ path: `${path}/missing/docket.sqlite` })),
      "accessDenied",
    );
    await Deno.writeTextFile(path, "This is no database. ".repeat(1000));
    assertEquals(await kindOf(openSqlite({ path })), "damaged");
  }));

Deno.test("openSqlite: a removed file is reported, not replaced, and used again once it is back", () =>
  inFolder(async (path) => {
    let time = 0;
    const make = { isAllowed: true };
    const database = reconnectingDatabase(() => openSqlite({ path, create: make.isAllowed }), {
      now: () => time,
    });
    const store = storeOn(database);
    await store.put({ fileSets: [fileSet(1)] });
    make.isAllowed = false;
    // A backup as SQLite makes it: whole, in one file.
    await database.maintain(sql`VACUUM INTO ${`${path}.backup`}`);
    // What came after the backup stands in the write-ahead log, which nobody thinks of.
    await store.put({ fileSets: [fileSet(3)] });
    await Deno.remove(path);
    assertEquals(await kindOf(store.fileSets.search({})), "missing");
    assertEquals(await kindOf(store.put({ fileSets: [fileSet(2)] })), "missing");
    await Deno.rename(`${path}.backup`, path);
    time += 5000;
    assertEquals((await store.fileSets.search({})).fileSets, [fileSet(1)]);
    await store.close();
  }));

Deno.test("openSqlite: reads the new file after the file was replaced", () =>
  inFolder(async (path) => {
    const store = storeOn(reconnectingDatabase(() => openSqlite({ path })));
    await store.put({ fileSets: [fileSet(1)] });
    const other = storeOn(await openSqlite({ path: `${path}.other` }));
    await other.put({ fileSets: [fileSet(2), fileSet(3)] });
    await other.close();
    await Deno.rename(path, `${path}.before`);
    await Deno.rename(`${path}.other`, path);
    assertEquals((await store.fileSets.search({})).fileSets, [fileSet(2), fileSet(3)]);
    await store.close();
    const before = storeOn(await openSqlite({ path: `${path}.before` }));
    assertEquals((await before.fileSets.search({})).fileSets, [fileSet(1)]);
    await before.close();
  }));

Deno.test("openSqlite: a damaged file is reported, and used again once it is restored", () =>
  inFolder(async (path) => {
    let time = 0;
    const open = () => openSqlite({ path, create: false });
    await (await openSqlite({ path })).close();
    const database = reconnectingDatabase(open, { now: () => time });
    const store = storeOn(database);
    await store.put({ fileSets: Array.from({ length: 3000 }, (_, n) => fileSet(n)) });
    await database.close();
    await Deno.copyFile(path, `${path}.backup`);
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.fill(7, 8 * 4096));
    const again = storeOn(reconnectingDatabase(open, { now: () => time }));
    assertEquals(await kindOf(again.fileSets.search({})), "damaged");
    await Deno.rename(`${path}.backup`, path);
    time += 5000;
    assertEquals((await again.fileSets.search({})).pageContext.total, 3000);
    await again.close();
  }));

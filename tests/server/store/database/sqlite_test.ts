import { assert, assertEquals, assertRejects } from "@std/assert";
import { getPriority } from "node:os";
import { DatabaseSync } from "node:sqlite";
import type { Database } from "../../../../server/store/database/database.ts";
import { insert, sql } from "../../../../server/store/database/sql.ts";
import { openSqlite, type SqliteOptions } from "../../../../server/store/database/sqlite.ts";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import { inFolder } from "../sqlite/folder.ts";

/** As many searches as run at once. */
const ALL_THREADS = 2;
const ONE = sql`SELECT 1 AS one`;
/** A search that never ends by itself. */
const ENDLESS = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
  SELECT count(*) FROM numbers WHERE (n & 255 OR alive())`;

function withDatabase(
  options: Partial<SqliteOptions>,
  work: (database: Database, path: string) => Promise<void>,
): Promise<void> {
  return inFolder(async (path) => {
    const database = await openSqlite({ path, ...options });
    await work(database, path);
    await database.close();
  });
}

const search = (database: Database, signal?: AbortSignal) =>
  database.read(ENDLESS, { lane: "search", signal });

async function errorOf(work: Promise<unknown>): Promise<DatabaseError> {
  return await assertRejects(() => work, DatabaseError);
}

Deno.test("openSqlite: an aborted search frees its thread", () =>
  withDatabase({}, async (database) => {
    const left = new AbortController();
    const running = Array.from({ length: ALL_THREADS }, () => search(database, left.signal));
    const next = database.read(ONE, { lane: "search" });
    left.abort(new RangeError("Gone"));
    for (const each of running) await assertRejects(() => each, RangeError, "Gone");
    assertEquals(await next, [{ one: 1 }]);
  }));

Deno.test("openSqlite: a search without threads leaves the program's priority as it is", () =>
  withDatabase({ inThreads: false }, async (database) => {
    const before = getPriority();
    await database.read(ONE, { lane: "search" });
    assertEquals(getPriority(), before);
  }));

Deno.test("openSqlite: a search ends at its deadline, says what to do and frees its thread", () =>
  withDatabase({ deadlineMs: 1000 }, async (database) => {
    const running = Array.from({ length: ALL_THREADS }, () => errorOf(search(database)));
    for (const error of await Promise.all(running)) {
      assertEquals([error.kind, error.problem.status], ["timeout", 503]);
      assert(error.message.includes("smaller offset"), error.message);
    }
    assertEquals(await database.read(ONE, { lane: "search" }), [{ one: 1 }]);
  }));

Deno.test("openSqlite: lookups and writes don't wait for searches", () =>
  withDatabase({}, async (database) => {
    const left = new AbortController();
    const running = Array.from({ length: 9 }, () => search(database, left.signal));
    await database.write(insert("schedules", [{ id: 7 }]));
    assertEquals(await database.read(sql`SELECT id FROM schedules`), [{ id: 7 }]);
    left.abort(new RangeError("Gone"));
    for (const each of running) await assertRejects(() => each, RangeError);
  }));

Deno.test("openSqlite: when too many searches wait, the next is refused with a time to retry", () =>
  withDatabase({}, async (database) => {
    const left = new AbortController();
    const waiting = Array.from(
      { length: ALL_THREADS + 200 },
      () => search(database, left.signal),
    );
    const error = await errorOf(search(database));
    assertEquals([error.kind, error.problem.status], ["busy", 503]);
    assert(error.problem.retryAfterSeconds! > 0);
    left.abort(new RangeError("Gone"));
    for (const each of waiting) await assertRejects(() => each, RangeError);
  }));

Deno.test("openSqlite: another process that writes holds up neither reads nor the program", () =>
  withDatabase({}, async (database, path) => {
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE; INSERT INTO schedules VALUES (1)");
    const writing = database.write(insert("schedules", [{ id: 2 }]));
    const ids = sql`SELECT id FROM schedules ORDER BY id`;
    assertEquals(await database.read(ids), []);
    // This program itself ends what its write waits for.
    other.exec("COMMIT");
    other.close();
    await writing;
    assertEquals(await database.read(ids), [{ id: 1 }, { id: 2 }]);
  }));

Deno.test("openSqlite: a write waits for another process, or a transaction, no longer than allowed", async () => {
  const add = (database: Database) => database.write(insert("schedules", [{ id: 2 }]));
  await withDatabase({ busyMs: 50 }, async (database, path) => {
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    assertEquals((await errorOf(add(database))).kind, "locked");
    other.close();
    await add(database);
    assertEquals(await database.read(sql`SELECT id FROM schedules`), [{ id: 2 }]);
  });
  await withDatabase({ deadlineMs: 500 }, async (database) => {
    const end = Promise.withResolvers<void>();
    const lasting = database.transaction(() => end.promise);
    assertEquals((await errorOf(add(database))).kind, "locked");
    end.resolve();
    await lasting;
    assertEquals(await database.read(sql`SELECT id FROM schedules`), []);
  });
});

Deno.test("openSqlite: an error amid the rows is thrown", () =>
  withDatabase({}, async (database, path) => {
    await database.write(insert("schedules", [{ id: 1 }, { id: 2 }, { id: -(2 ** 52) }]));
    const overflowing = sql`SELECT abs(id * 2048) FROM schedules ORDER BY id DESC`;
    for (const lane of ["lookup", "search"] as const) {
      await assertRejects(() => database.read(overflowing, { lane }), Error, "overflow");
    }
    const ids = sql`SELECT id FROM schedules`;
    assertEquals((await database.read(ids)).length, 3);
    const other = new DatabaseSync(path);
    other.exec("ALTER TABLE schedules RENAME TO others");
    other.close();
    await assertRejects(() => database.read(ids), Error, "no such table");
  }));

Deno.test("openSqlite: closing ends what runs and what waits", () =>
  withDatabase({}, async (database) => {
    const waiting = Array.from({ length: 4 }, () => errorOf(search(database)));
    await database.close();
    for (const { kind } of await Promise.all(waiting)) assertEquals(kind, "unreachable");
    assertEquals((await errorOf(database.read(ONE))).kind, "unreachable");
    assertEquals((await errorOf(database.write(ONE))).kind, "unreachable");
  }));

Deno.test("openSqlite: a copy made while others write has all of a transaction or nothing", () =>
  withDatabase({}, async (database, path) => {
    let isCopied = false;
    const write = async () => {
      for (let n = 0; !isCopied || n < 20; n++) {
        await database.transaction(async ({ write }) => {
          for (const id of [2 * n, 2 * n + 1]) await write(insert("schedules", [{ id }]));
        });
      }
    };
    const writing = write();
    // As docs/service.md says.
    using source = new DatabaseSync(path, { readOnly: true });
    source.prepare("VACUUM INTO ?").run(`${path}.copy`);
    isCopied = true;
    await writing;
    const copy = await openSqlite({ path: `${path}.copy`, inThreads: false });
    const odd = sql`SELECT count(*) % 2 AS odd, max(id) % 2 AS last FROM schedules`;
    const [{ odd: isOdd, last }] = await copy.read<{ odd: number; last: number | null }>(odd);
    assertEquals([isOdd, last ?? 1], [0, 1]);
    assertEquals(await copy.read(sql`PRAGMA integrity_check`), [{ integrityCheck: "ok" }]);
    await copy.close();
  }));

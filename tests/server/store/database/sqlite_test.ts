import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { type Database, DatabaseError } from "../../../../server/store/database/database.ts";
import { insert, Sql, sql } from "../../../../server/store/database/sql.ts";
import {
  openSqlite,
  type SqliteOptions,
  toDatabaseError,
} from "../../../../server/store/database/sqlite.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { fileSet } from "../rows.ts";
import { inFolder } from "../sqlite/with_sqlite.ts";

/** As many searches as run at once. */
const ALL_THREADS = 2;
const ONE = sql`SELECT 1 AS one`;
/** A search that never ends by itself. */
const ENDLESS = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
  SELECT count(*) FROM numbers WHERE (n & 255 OR alive())`;

type Work = (database: Database, path: string) => Promise<void>;

const withDatabase = (options: Partial<SqliteOptions>, work: Work) =>
  inFolder(async (path) => {
    const database = await openSqlite({ path, ...options });
    await work(database, path);
    await database.close();
  });

const search = (database: Database, signal?: AbortSignal) =>
  database.read(ENDLESS, { lane: "search", signal });

async function errorOf(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await assertRejects(() => work, DatabaseError);
  assertEquals(error.problem.status, 503);
  return error;
}

const kindOf = async (work: PromiseLike<unknown>) => (await errorOf(Promise.resolve(work))).kind;

Deno.test("openSqlite: a search ends at its deadline, says what to do and frees its thread", () =>
  withDatabase({ deadlineMs: 1000 }, async (database) => {
    const running = Array.from({ length: ALL_THREADS }, () => errorOf(search(database)));
    for (const error of await Promise.all(running)) {
      assertEquals(error.kind, "timeout");
      assert(error.message.includes("smaller offset"), error.message);
    }
    assertEquals(await database.read(ONE, { lane: "search" }), [{ one: 1 }]);
  }));

Deno.test("openSqlite: searches hold up no lookup or write; too many are refused; aborted, they end", () =>
  withDatabase({}, async (database) => {
    const left = new AbortController();
    const waiting = Array.from({ length: ALL_THREADS + 200 }, () => search(database, left.signal));
    const error = await errorOf(search(database));
    assertEquals(error.kind, "busy");
    assert(error.problem.retryAfterSeconds! > 0);
    await database.write(insert("schedules", [{ id: 7 }]));
    assertEquals(await database.read(sql`SELECT id FROM schedules`), [{ id: 7 }]);
    left.abort(new RangeError("Gone"));
    for (const each of waiting) await assertRejects(() => each, RangeError, "Gone");
    assertEquals(await database.read(ONE, { lane: "search" }), [{ one: 1 }]);
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
  await withDatabase({ deadlineMs: 500 }, async (database, path) => {
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    assertEquals(await kindOf(add(database)), "locked");
    other.close();
    await add(database);
    const end = Promise.withResolvers<void>();
    const lasting = database.transaction(() => end.promise);
    assertEquals(await kindOf(add(database)), "locked");
    end.resolve();
    await lasting;
    assertEquals(await database.read(sql`SELECT id FROM schedules`), [{ id: 2 }]);
  });
});

Deno.test("openSqlite: a thread that ends is said, with what it may need", () =>
  inFolder(async (path) => {
    const { Worker } = globalThis;
    class CrashingWorker {
      onerror: ((event: ErrorEvent) => void) | null = null;
      postMessage() {
        const event = new ErrorEvent("error", { message: "Boom", cancelable: true });
        queueMicrotask(() => this.onerror?.(event));
      }
      terminate() {}
    }
    Object.assign(globalThis, { Worker: CrashingWorker });
    const { kind, message } = await errorOf(openSqlite({ path }));
    Object.assign(globalThis, { Worker });
    const advice = "a thread stopped: Boom; Docket must be allowed to read server/store";
    assertEquals([kind, message.includes(advice)], ["unusable", true], message);
  }));

Deno.test("openSqlite: what can't be opened leaves no thread behind", () =>
  inFolder(async (path) => {
    const { Worker } = globalThis;
    const open = new Set<Worker>();
    class CountedWorker extends Worker {
      override postMessage = (message: unknown) => (open.add(this), super.postMessage(message));
      override terminate = () => (open.delete(this), super.terminate());
    }
    Object.assign(globalThis, { Worker: CountedWorker });
    const kind = await kindOf(openSqlite({ path: `${path}/missing/a` }));
    Object.assign(globalThis, { Worker });
    assertEquals([kind, open.size], ["accessDenied", 0]);
  }));

Deno.test("openSqlite: closing ends what runs and what waits", () =>
  withDatabase({}, async (database) => {
    const waiting = Array.from({ length: 4 }, () => errorOf(search(database)));
    await database.close();
    for (const { kind } of await Promise.all(waiting)) assertEquals(kind, "unreachable");
    assertEquals(await kindOf(database.read(ONE)), "unreachable");
    assertEquals(await kindOf(database.write(ONE)), "unreachable");
  }));

Deno.test("openSqlite: only the owner can read its files, also if others could before", () =>
  inFolder(async (path) => {
    await Deno.chmod(path.replace(/[^/]+$/, ""), 0o755);
    const files = ["", "-wal", "-shm"].map((ending) => path + ending);
    const opened = [];
    for (const _ of ["made", "found"]) {
      const store = storeOn(await openSqlite({ path }));
      await store.put({ fileSets: [fileSet(1)] });
      const modes = files.map((file) => (Deno.statSync(file).mode! & 0o777).toString(8));
      assertEquals(modes, ["600", "600", "600"]);
      for (const file of files) await Deno.chmod(file, 0o644);
      opened.push(store);
    }
    for (const { close } of opened) await close();
  }));

Deno.test("openSqlite: leaves one file when all is closed, and what is no database of Docket's", () =>
  inFolder(async (path) => {
    for (const _ of ["made", "read"]) await (await openSqlite({ path })).close();
    const names = [...Deno.readDirSync(path.replace(/[^/]*$/, ""))].map(({ name }) => name);
    assertEquals(names, ["docket.sqlite"]);
    const others = `${path}.other`;
    const db = new DatabaseSync(others);
    db.exec("CREATE TABLE others (id INTEGER)");
    db.close();
    const before = await Deno.readFile(others);
    await assertRejects(() => openSqlite({ path: others }), Error, "another application");
    assertEquals(await Deno.readFile(others), before);
    assertEquals(await kindOf(openSqlite({ path: `${path}.none`, create: false })), "missing");
    await Deno.writeTextFile(path, "This is no database. ".repeat(1000));
    assertEquals(await kindOf(openSqlite({ path })), "damaged");
  }));

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

Deno.test("toDatabaseError: knows what SQLite says of a disk without room, and of a damaged file", () => {
  const said = { "disk I/O error": "disk", "database disk image is malformed": "damaged" };
  for (const [message, kind] of Object.entries(said)) {
    const error = toDatabaseError({ message, code: "ERR_SQLITE_ERROR" }) as DatabaseError;
    assertEquals([error.kind, error.endsStart], [kind, kind === "damaged"]);
  }
});

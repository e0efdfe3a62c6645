import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "../../../../server/store/database_error.ts";
import { createReaders, type Readers } from "../../../../server/store/sqlite/readers.ts";
import { inFolder } from "./folder.ts";

const ONE = { text: "SELECT 1", values: [] };

/** A query that never ends by itself. */
const ENDLESS = {
  text: "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) " +
    "SELECT count(*) FROM numbers WHERE n & 255 OR alive()",
  values: [],
};

const SHORT = { deadline: Infinity, isLong: false };
const LONG = { deadline: Infinity, isLong: true };

function withReaders(most: number, work: (readers: Readers) => Promise<void>): Promise<void> {
  return inFolder(async (path) => {
    const db = new DatabaseSync(path);
    db.exec("PRAGMA journal_mode = WAL");
    const readers = createReaders(path, most);
    try {
      await work(readers);
    } finally {
      await readers.close();
      db.close();
    }
  });
}

Deno.test("createReaders: an aborted query ends, and its reader does the next one", () =>
  withReaders(1, async (readers) => {
    assertEquals(await readers.read(ONE, SHORT), [[1]]);
    const left = new AbortController();
    const endless = readers.read(ENDLESS, { ...SHORT, signal: left.signal });
    const next = readers.read(ONE, SHORT);
    left.abort(new Error("Gone"));
    await assertRejects(() => endless, Error, "Gone");
    assertEquals(await next, [[1]]);
    assertEquals(await readers.read(ONE, SHORT), [[1]]);
  }));

Deno.test("createReaders: a query that waits for its turn can be aborted too", () =>
  withReaders(1, async (readers) => {
    const first = new AbortController();
    const second = new AbortController();
    const running = readers.read(ENDLESS, { ...SHORT, signal: first.signal });
    const waiting = readers.read(ENDLESS, { ...SHORT, signal: second.signal });
    second.abort(new Error("Left"));
    await assertRejects(() => waiting, Error, "Left");
    first.abort(new Error("Gone"));
    await assertRejects(() => running, Error, "Gone");
    assertEquals(await readers.read(ONE, SHORT), [[1]]);
  }));

Deno.test("createReaders: a query ends at its deadline, and says what to do", () =>
  withReaders(1, async (readers) => {
    const error = await assertRejects(
      () => readers.read(ENDLESS, { deadline: performance.now() + 500, isLong: false }),
      DatabaseError,
      "smaller offset",
    );
    assertEquals([error.kind, error.problem.status], ["timeout", 503]);
    assert(error.problem.retryAfterSeconds! > 0);
    assertEquals(await readers.read(ONE, SHORT), [[1]]);
  }));

Deno.test("createReaders: long queries leave a reader to short ones", () =>
  withReaders(2, async (readers) => {
    const left = new AbortController();
    const long = [1, 2, 3].map(() => readers.read(ENDLESS, { ...LONG, signal: left.signal }));
    assertEquals(await readers.read(ONE, SHORT), [[1]]);
    left.abort(new Error("Gone"));
    for (const each of long) await assertRejects(() => each, Error, "Gone");
    assertEquals(await readers.read(ONE, LONG), [[1]]);
  }));

Deno.test("createReaders: refuses a query with a time to retry if too many wait", () =>
  withReaders(1, async (readers) => {
    const left = new AbortController();
    const waiting = Array.from(
      { length: 201 },
      () => readers.read(ENDLESS, { ...SHORT, signal: left.signal }),
    );
    const error = await assertRejects(() => readers.read(ONE, SHORT), DatabaseError);
    assertEquals(error.kind, "busy");
    assert(error.problem.retryAfterSeconds! > 0);
    left.abort(new Error("Gone"));
    for (const each of waiting) await assertRejects(() => each, Error, "Gone");
  }));

Deno.test("createReaders: closing ends what runs and what waits", () =>
  withReaders(1, async (readers) => {
    const running = readers.read(ENDLESS, SHORT);
    const waiting = readers.read(ONE, SHORT);
    const rejected = [
      assertRejects(() => running),
      assertRejects(() => waiting, DatabaseError),
      assertRejects(async () => {
        await readers.close();
        await readers.read(ONE, SHORT);
      }, DatabaseError),
    ];
    await Promise.all(rejected);
  }));

Deno.test("createReaders: an error of SQLite rejects its query only", () =>
  withReaders(1, async (readers) => {
    const text = "SELECT * FROM nowhere";
    const error = await assertRejects(() => readers.read({ text, values: [] }, SHORT), Error);
    assertEquals((error as Error & { code?: string }).code, "ERR_SQLITE_ERROR");
    assertEquals(await readers.read(ONE, SHORT), [[1]]);
  }));

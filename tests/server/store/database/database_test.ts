/** What every database must do. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type Database, DatabaseError } from "../../../../server/store/database/database.ts";
import { reconnectingDatabase } from "../../../../server/store/open.ts";
import {
  any,
  ids,
  insert,
  name,
  sql,
  texts,
  upsert,
} from "../../../../server/store/database/sql.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";
import { hurryTimers } from "../../../hurry_timers.ts";
import { SYSTEMS } from "../on_both.ts";
import { inFolder } from "../sqlite/with_sqlite.ts";

const DATABASES: typeof SYSTEMS = {
  ...SYSTEMS,
  "SQLite in threads, opened when needed": (work) =>
    inFolder(async (path) => {
      const database = reconnectingDatabase(() => openSqlite({ path }));
      await work(database);
      await database.close();
    }),
};

function test(name: string, work: (database: Database) => Promise<void>): void {
  for (const [database, withDatabase] of Object.entries(DATABASES)) {
    Deno.test(`${name} (${database})`, () => withDatabase(work));
  }
}

const owner = (key: string) => ({ key, name: key.toUpperCase(), changed: 1, actor: "tests" });
const insertOwner = (key: string) => insert("owners", [owner(key)]);

async function keysIn({ read }: Pick<Database, "read">): Promise<readonly string[]> {
  const owners = await read<{ key: string }>(sql`SELECT key FROM owners ORDER BY key`);
  return owners.map(({ key }) => key);
}

Deno.test("name: refuses what is no name", () => {
  assertThrows(() => name("owners; DROP TABLE runs"), TypeError, "no name of a column");
});

test("read: columns become properties, numbers numbers, a list of any length one value", async (db) => {
  await db.write(insert("schedules", [7, 8, 9, 2 ** 53 - 1].map((id) => ({ id }))));
  const rows = await db.read(sql`SELECT max(id) AS schedule_id, NULL AS last_run FROM schedules`);
  assertEquals(rows, [{ scheduleId: 2 ** 53 - 1, lastRun: null }]);
  assertEquals(await db.read(sql`SELECT count(*) AS counted FROM schedules`), [{ counted: 4 }]);
  const many = Array.from({ length: 50_000 }, (_, id) => id + 8);
  const found = sql`SELECT id FROM schedules WHERE id IN ${ids(many)} ORDER BY id`;
  assertEquals(await db.read(found), [{ id: 8 }, { id: 9 }]);
  assertEquals(await db.read(sql`SELECT id FROM schedules WHERE id IN ${ids([])}`), []);
  // More conditions than a database lets one nest.
  const either = any(many.slice(0, 5000).map((id) => sql`id = ${id}`));
  assertEquals((await db.read(sql`SELECT id FROM schedules WHERE ${either}`)).length, 2);
});

test("write: leaves out what texts can't hold, also in conditions and lists", async (db) => {
  const text = "a\0b \ud800";
  const held = [{ name: "ab \ufffd", value: "ab \ufffd" }];
  await db.write(upsert("metadata", [{ name: text, value: text }], ["name"]));
  assertEquals(await db.read(sql`SELECT * FROM metadata WHERE name = ${text}`), held);
  assertEquals(await db.read(sql`SELECT * FROM metadata WHERE value IN ${texts([text])}`), held);
});

test("write: says how many rows it changed, and returns what it was asked for", async (db) => {
  const both = await db.write(insert("owners", [owner("a"), owner("b")]));
  assertEquals(both, { rows: [], changed: 2 });
  const changed = upsert("owners", [{ ...owner("b"), name: "Z", quiet: ["22:00"] }], ["key"]);
  const returned = await db.write(sql`${changed} RETURNING name, quiet`);
  assertEquals(returned as unknown, { rows: [{ name: "Z", quiet: ["22:00"] }], changed: 1 });
  assertEquals((await db.write(sql`DELETE FROM owners WHERE key = 'none'`)).changed, 0);
  assertEquals((await db.write(upsert("owners", [owner("a")], ["key"]))).changed, 1);
});

test("write: an error says nothing of the values, and leaves the database usable", async (db) => {
  await db.write(insertOwner("a"));
  await assertRejects(() => db.write(insert("owners", [{ key: "b", name: "B" }])), Error);
  const error = await assertRejects(() => db.write(insertOwner("a")), Error);
  assert(!error.message.includes("tests"), error.message);
  assertEquals(await keysIn(db), ["a"]);
});

test("transaction: reads what it wrote; is undone if its work or a statement fails", async (db) => {
  const found = await db.transaction(async (transaction) => {
    await Promise.all(["a", "b"].map((key) => transaction.write(insertOwner(key))));
    return await keysIn(transaction);
  });
  assertEquals([found, await keysIn(db)], [["a", "b"], ["a", "b"]]);
  const failing = db.transaction(async ({ write }) => {
    await write(sql`DELETE FROM owners`);
    await write(insertOwner("b"));
    throw new RangeError("No");
  });
  await assertRejects(() => failing, RangeError, "No");
  const twice = db.transaction(async ({ write }) => {
    for (const key of ["c", "c"]) await write(insertOwner(key));
  });
  await assertRejects(() => twice);
  await db.transaction(({ write }) => write(insertOwner("d")));
  assertEquals(await keysIn(db), ["a", "b", "d"]);
});

test("transaction: other calls never get into it, nor see it before its end", async (db) => {
  const [started, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failing = db.transaction(async ({ write }) => {
    await write(insertOwner("undone"));
    started.resolve();
    await end.promise;
    throw new RangeError("No");
  });
  await started.promise;
  const others = Promise.all([
    keysIn(db),
    db.write(insertOwner("a")),
    db.transaction(({ write }) => write(insertOwner("b"))),
  ]);
  end.resolve();
  await assertRejects(() => failing, RangeError);
  const [seen] = await others;
  assert(!seen.includes("undone"));
  assertEquals(await keysIn(db), ["a", "b"]);
});

test("read: does nothing for a signal that is already aborted", async (db) => {
  const signal = AbortSignal.abort(new RangeError("Gone"));
  const owners = sql`SELECT key FROM owners`;
  for (const lane of ["lookup", "search"] as const) {
    await assertRejects(() => db.read(owners, { lane, signal }), RangeError, "Gone");
    assertEquals(await db.read(owners, { lane }), []);
  }
});

Deno.test("transaction: of two that wait for each other, one is done again (PostgreSQL)", () =>
  SYSTEMS.PostgreSQL(async (db) => {
    for (const key of ["a", "b"]) await db.write(insertOwner(key));
    let written = 0;
    const both = Promise.withResolvers<void>();
    const rename = (keys: readonly string[]) =>
      db.transaction(async ({ write }) => {
        for (const key of keys) {
          await write(sql`UPDATE owners SET name = name || '+' WHERE key = ${key}`);
          written++;
          if (written === 2) both.resolve();
          await both.promise;
        }
      });
    await Promise.all([rename(["a", "b"]), rename(["b", "a"])]);
    const rows = await db.read<{ name: string }>(sql`SELECT name FROM owners`);
    assertEquals(rows.map(({ name }) => name.slice(-2)), ["++", "++"]);
  }));

const ONE = sql`SELECT 1 AS one`;

Deno.test("reconnectingDatabase: opens at first use, tries again every 2 seconds, and stays closed", async () => {
  const state = { isAway: true, attempts: 0, time: 0, recoveries: 0, closed: 0 };
  const open = () =>
    reconnectingDatabase(async () => {
      state.attempts++;
      if (state.isAway) throw new DatabaseError("unreachable", "", "start it");
      const opened = await openSqlite({ path: ":memory:" });
      return { ...opened, close: () => opened.close().then(() => void state.closed++) };
    }, { now: () => state.time, onRecovered: () => state.recoveries++ });
  const database = open();
  /** Asks three times at once; says whether all were answered, and how often it was opened. */
  const ask = async (time: number) => {
    state.time = time;
    const asked = await Promise.allSettled([1, 2, 3].map(() => database.read(ONE)));
    return [asked.every(({ status }) => status === "fulfilled"), state.attempts];
  };
  const steps = [[0, 1], [1999, 1], [2000, 2], [3999, 2]];
  for (const [time, attempts] of steps) assertEquals(await ask(time), [false, attempts]);
  state.isAway = false;
  for (const time of [4000, 4001]) assertEquals(await ask(time), [true, 3]);
  await database.close();
  assertEquals([state.closed, state.recoveries, await ask(9000)], [1, 1, [false, 3]]);
  // One that was never away did not recover.
  const other = open();
  await other.read(ONE);
  await other.close();
  assertEquals(state.recoveries, 1);
});

Deno.test("reconnectingDatabase: after ten seconds it says why it may not open, and goes on", async () => {
  const opening = Promise.withResolvers<Awaited<ReturnType<typeof openSqlite>>>();
  const database = reconnectingDatabase(() => opening.promise);
  {
    using _ = hurryTimers(10_000);
    await assertRejects(() => database.read(ONE), DatabaseError, "being changed");
  }
  opening.resolve(await openSqlite({ path: ":memory:" }));
  assertEquals(await database.read(ONE), [{ one: 1 }]);
  await database.close();
});

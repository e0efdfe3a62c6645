/** What every database must do: the same tests for each. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Database } from "../../../../server/store/database/database.ts";
import {
  ids,
  insert,
  list,
  set,
  sql,
  texts,
  upsert,
} from "../../../../server/store/database/sql.ts";
import type { WithDatabase } from "../sqlite/with_sqlite.ts";

interface Owner {
  readonly key: string;
  readonly name: string;
}

/** Registers the tests of one database. */
export function testDatabaseContract(database: string, withDatabase: WithDatabase): void {
  const test = (name: string, work: (database: Database) => Promise<void>) =>
    Deno.test(`${database}: ${name}`, () => withDatabase(work));

  const owner = (key: string) => ({ key, name: key.toUpperCase(), changed: 1, actor: "tests" });
  const insertOwner = (key: string) => insert("owners", [owner(key)]);
  const owners = sql`SELECT key, name FROM owners ORDER BY key`;
  const keys = async ({ read }: Pick<Database, "read">) =>
    (await read<Owner>(owners)).map(({ key }) => key);

  test("read: rows have their columns as properties, with numbers as numbers", async (db) => {
    await db.write(insert("schedules", [{ id: 2 ** 53 - 1 }]));
    const rows = await db.read(sql`SELECT id AS schedule_id, NULL AS last_run_id FROM schedules`);
    assertEquals(rows, [{ scheduleId: 2 ** 53 - 1, lastRunId: null }]);
    assertEquals(await db.read(sql`SELECT count(*) AS counted FROM schedules`), [{ counted: 1 }]);
  });

  test("write: leaves out what texts can't hold, also in conditions and lists", async (db) => {
    const text = "a\0b \ud800";
    const held = [{ name: "ab \ufffd", value: "ab \ufffd" }];
    await db.write(upsert("metadata", [{ name: text, value: text }], ["name"]));
    assertEquals(await db.read(sql`SELECT * FROM metadata WHERE name = ${text}`), held);
    assertEquals(await db.read(sql`SELECT * FROM metadata WHERE value IN ${texts([text])}`), held);
  });

  test("read: a list of ids of any length is one value", async (db) => {
    await db.write(insert("schedules", [{ id: 7 }, { id: 8 }, { id: 9 }]));
    const many = Array.from({ length: 50_000 }, (_, id) => id + 8);
    const found = sql`SELECT id FROM schedules WHERE id IN ${ids(many)} ORDER BY id`;
    assertEquals(await db.read(found), [{ id: 8 }, { id: 9 }]);
    assertEquals(await db.read(sql`SELECT id FROM schedules WHERE id IN ${list([])}`), []);
  });

  test("write: says how many rows it changed, and returns what it was asked for", async (db) => {
    assertEquals(await db.write(insert("owners", [owner("a"), owner("b")])), {
      rows: [],
      changed: 2,
    });
    assertEquals(await db.write<Owner>(sql`UPDATE owners SET actor = 'x' RETURNING name`), {
      rows: [{ name: "A" }, { name: "B" }] as Owner[],
      changed: 2,
    });
    const renamed = sql`UPDATE owners SET ${set({ name: "Z", quiet: ["22:00"] })} WHERE key = 'b'`;
    assertEquals((await db.write(renamed)).changed, 1);
    type Quiet = { readonly name: string; readonly quiet: readonly string[] };
    const rows = await db.read<Quiet>(sql`SELECT name, quiet FROM owners WHERE key = 'b'`);
    assertEquals(rows, [{ name: "Z", quiet: ["22:00"] }]);
    assertEquals((await db.write(sql`DELETE FROM owners WHERE key = 'none'`)).changed, 0);
    assertEquals((await db.write(upsert("owners", [owner("a")], ["key"]))).changed, 1);
  });

  test("write: an error says nothing of the values, and leaves the database usable", async (db) => {
    await db.write(insertOwner("a"));
    await assertRejects(() => db.write(insert("owners", [{ key: "b", name: "B" }])), Error);
    const error = await assertRejects(() => db.write(insertOwner("a")), Error);
    assert(!error.message.includes("tests"), error.message);
    assertEquals(await keys(db), ["a"]);
  });

  test("transaction: reads what it wrote; is undone if its work or a statement fails", async (db) => {
    const found = await db.transaction(async (transaction) => {
      await transaction.write(insertOwner("a"));
      return await keys(transaction);
    });
    assertEquals([found, await keys(db)], [["a"], ["a"]]);
    const failing = db.transaction(async ({ write }) => {
      await write(sql`DELETE FROM owners`);
      await write(insertOwner("b"));
      throw new RangeError("No");
    });
    await assertRejects(() => failing, RangeError, "No");
    const twice = db.transaction(async ({ write }) => {
      await write(insertOwner("c"));
      await write(insertOwner("c"));
    });
    await assertRejects(() => twice);
    await db.transaction(({ write }) => write(insertOwner("d")));
    assertEquals(await keys(db), ["a", "d"]);
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
      keys(db),
      db.write(insertOwner("a")),
      db.transaction(({ write }) => write(insertOwner("b"))),
    ]);
    end.resolve();
    await assertRejects(() => failing, RangeError);
    const [seen] = await others;
    assert(!seen.includes("undone"));
    assertEquals(await keys(db), ["a", "b"]);
  });

  test("read: does nothing for a signal that is already aborted", async (db) => {
    const signal = AbortSignal.abort(new RangeError("Gone"));
    for (const lane of ["lookup", "search"] as const) {
      await assertRejects(() => db.read(owners, { lane, signal }), RangeError, "Gone");
      assertEquals(await db.read(owners, { lane }), []);
    }
  });
}

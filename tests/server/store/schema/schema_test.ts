import { assertEquals, assertThrows } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { firstSchema, type Migration } from "../../../../server/store/schema/schema.ts";
import { migrateSqlite } from "../../../../server/store/sqlite/migrate_sqlite.ts";

Deno.test("missingMigrations: each is applied once, in order, and a failing one leaves nothing", () => {
  const db = new DatabaseSync(":memory:");
  const numbers = () => db.prepare("SELECT number FROM schema_migrations").all().map(Object.values);
  const add: Migration = ({ integer }) => `ALTER TABLE metadata ADD COLUMN size ${integer}`;
  const rename: Migration = () => "ALTER TABLE metadata RENAME COLUMN size TO length";
  const fail: Migration = () => "DROP TABLE metadata; DROP TABLE no_such_table";
  migrateSqlite(db, [firstSchema]);
  assertThrows(() => migrateSqlite(db, [firstSchema, add, fail]), Error, "no_such_table");
  assertEquals(numbers(), [[1]]);
  for (const _ of ["first", "second"]) migrateSqlite(db, [firstSchema, add, rename]);
  assertEquals(numbers(), [[1], [2], [3]]);
  assertEquals(db.prepare("SELECT length FROM metadata").all(), []);
  db.close();
});

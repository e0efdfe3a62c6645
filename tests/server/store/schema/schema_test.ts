import { assertEquals, assertRejects } from "@std/assert";
import type { Database } from "../../../../server/store/database/database.ts";
import { insert, Sql, sql } from "../../../../server/store/database/sql.ts";
import { openPostgresql } from "../../../../server/store/database/postgresql.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";
import { MIGRATIONS } from "../../../../server/store/schema/schema.ts";
import { server } from "../postgres/shared.ts";
import { inFolder } from "../sqlite/with_sqlite.ts";

/** What makes a database, step by step, one that Docket refuses, and what it says then. */
const UNRELEASED = "it was made by an unreleased version of Docket; export its data with that " +
  "version, start with a new database, and import the data there";

const REFUSED = [
  ["INSERT INTO schema_migrations VALUES (4, 'later')", "newer version of Docket; start that"],
  ["UPDATE schema_migrations SET digest = 'of other tables'", UNRELEASED],
  ["ALTER TABLE schema_migrations DROP COLUMN digest", UNRELEASED],
  ["DROP TABLE schema_migrations", UNRELEASED],
  ["DROP TABLE file_sets", "it has tables of another application; give Docket a database of its"],
] as const;

const [firstSchema] = MIGRATIONS;
const add = sql`ALTER TABLE metadata ADD COLUMN size integer`;
const rename = sql`ALTER TABLE metadata RENAME COLUMN size TO length`;
const fail = sql`DROP TABLE metadata; DROP TABLE no_such_table`;

async function testMigrations(open: (migrations: readonly Sql[]) => Promise<Database>) {
  // Several that start together make the schema once.
  const four = await Promise.all(Array.from({ length: 4 }, () => open([firstSchema])));
  await four[0].write(insert("schedules", [{ id: 1 }]));
  for (const { read, close } of four) {
    assertEquals(await read(sql`SELECT id FROM schedules`), [{ id: 1 }]);
    await close();
  }
  const numbersWith = async (...migrations: readonly Sql[]) => {
    const database = await open(migrations);
    const rows = await database.read<{ number: number }>(
      sql`SELECT number FROM schema_migrations ORDER BY number`,
    );
    await database.close();
    return rows.map(({ number }) => number);
  };
  assertEquals(await numbersWith(firstSchema), [1]);
  await assertRejects(() => numbersWith(firstSchema, add, fail), Error);
  assertEquals(await numbersWith(firstSchema), [1]);
  for (const _ of ["first", "second"]) {
    assertEquals(await numbersWith(firstSchema, add, rename), [1, 2, 3]);
  }
  await assertRejects(() => numbersWith(firstSchema), Error, "newer version of Docket");
  const database = await open([firstSchema, add, rename]);
  for (const [text, message] of REFUSED) {
    await database.maintain(new Sql([{ text }]));
    await assertRejects(() => open([firstSchema, add, rename]), Error, message);
  }
  await database.close();
}

Deno.test("migrate: runs each migration once, all or none, and refuses other schemas, on SQLite", () =>
  inFolder((path) => testMigrations((migrations) => openSqlite({ path, migrations }))));

Deno.test("migrate: runs each migration once, all or none, and refuses other schemas, on PostgreSQL", async () => {
  const url = await server.createDatabase();
  // The tables of an extension are not another application's.
  await server.asOwner(
    url,
    "CREATE EXTENSION pg_trgm",
    "CREATE TABLE spatial_ref_sys (srid integer)",
    "ALTER EXTENSION pg_trgm ADD TABLE spatial_ref_sys",
  );
  await testMigrations((migrations) => openPostgresql({ url, migrations }));
});

import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { sharedUserIds } from "../../../../server/store/schema/ledger_tables.ts";
import { firstSchema } from "../../../../server/store/schema/migrations.ts";
import { migrateSqlite } from "../../../../server/store/sqlite/migrate_sqlite.ts";

Deno.test("sharedUserIds: people whom an earlier version took for one are several", () => {
  using db = new DatabaseSync(":memory:");
  migrateSqlite(db, [firstSchema]);
  // One person for user id 0 and one for 9, each with two addresses; a forgotten one; and Ada.
  db.exec(
    "INSERT INTO people (id, source, user_id) VALUES (1, 1, 0), (2, 1, 9), (3, 1, -3), (4, 1, 5)",
  );
  const forgotten = '{"userId":-3,"displayName":"forgotten person","emailAddress":""}';
  const rows = [
    [1, 0, "a"],
    [1, 0, "b"],
    [2, 9, "c"],
    [2, 9, "d"],
    [3, -3, null],
    [4, 5, "ada"],
    [4, null, "ada"],
  ] as const;
  const insert = db.prepare(
    "INSERT INTO recipients (source, person_id, user_id, address, folded, digest, json) " +
      "VALUES (1, ?, ?, ?, '', ?, ?)",
  );
  for (const [at, row] of rows.entries()) {
    insert.run(...row, `${at}`, row[1] === -3 ? forgotten : "{}");
  }
  db.exec("INSERT INTO recipient_set_members SELECT 1, id, id FROM recipients");
  migrateSqlite(db, [firstSchema, sharedUserIds]);
  const found = db.prepare(
    "SELECT recipients.user_id, address, key_address, people.user_id FROM recipients " +
      "JOIN people ON people.id = person_id ORDER BY recipients.id",
  );
  found.setReturnArrays(true);
  assertEquals(found.all() as unknown, [
    [null, "a", "a", null],
    [null, "b", "b", null],
    [null, "c", "c", null],
    [null, "d", "d", null],
    [-3, null, null, -3],
    [5, "ada", null, 5],
    [null, "ada", null, 5],
  ]);
});

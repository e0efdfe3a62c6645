import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  all,
  any,
  compile,
  FOR_UPDATE_SKIP_LOCKED,
  ids,
  insert,
  join,
  list,
  name,
  set,
  sql,
  upsert,
  when,
} from "../../../../server/store/database/sql.ts";

Deno.test("sql: puts pieces in place and binds every other value", () => {
  const condition = sql`key = ${"anna"} ${when(true, sql`AND removed IS NULL`)}`;
  const statement = sql`SELECT id FROM owners WHERE ${condition} LIMIT ${2}${when(false, sql`!`)}`;
  assertEquals(compile(statement, "sqlite"), {
    text: "SELECT id FROM owners WHERE key = ? AND removed IS NULL LIMIT ?",
    values: ["anna", 2],
  });
  assertEquals(
    compile(statement, "postgresql").text,
    "SELECT id FROM owners WHERE key = $1 AND removed IS NULL LIMIT $2",
  );
});

Deno.test("sql: writes what differs between the databases for each", () => {
  const claim = sql`SELECT id FROM messages WHERE id IN ${ids([1, 2])} ${FOR_UPDATE_SKIP_LOCKED}`;
  assertEquals(compile(claim, "sqlite"), {
    text: "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?)) ",
    values: ["[1,2]"],
  });
  assertEquals(compile(claim, "postgresql").values, ["[1,2]"]);
});

Deno.test("all, any, list: are valid without conditions or values", () => {
  const conditions = (values: readonly number[]) => values.map((value) => sql`a = ${value}`);
  const text = (piece: ReturnType<typeof all>) => compile(piece, "sqlite").text;
  assertEquals([[], [1, 2]].map((values) => text(all(conditions(values)))), [
    "TRUE",
    "a = ? AND a = ?",
  ]);
  assertEquals([[], [1], [1, 2, 3]].map((values) => text(any(conditions(values)))), [
    "FALSE",
    "a = ?",
    "((a = ? OR a = ?) OR a = ?)",
  ]);
  assertEquals([[], [1, 2]].map((values) => text(list(values))), ["(?)", "(?, ?)"]);
});

Deno.test("insert, upsert, set: name columns in snake case and write objects as JSON", () => {
  const row = { scheduleId: 7, plan: { cron: "0 6 * * *" }, note: null, left: undefined };
  assertEquals(compile(insert("watches", [row]), "postgresql").values, [
    '[{"schedule_id":7,"plan":"{\\"cron\\":\\"0 6 * * *\\"}","note":null}]',
  ]);
  const putting = compile(upsert("owners", [{ key: "a" }, { key: "b" }], ["key"]), "postgresql");
  assertMatch(putting.text, /^INSERT INTO owners \(key\)\s+SELECT key FROM .+ AS new WHERE TRUE/);
  assertMatch(putting.text, / ON CONFLICT \(key\) DO UPDATE SET key = excluded.key$/);
  assertEquals(compile(set({ ownerId: 3 }), "sqlite").text, "owner_id = ?");
});

Deno.test("name: refuses what is no name", () => {
  assertEquals(compile(join([name("a"), name("b.c_1")], ", "), "sqlite").text, "a, b.c_1");
  assertThrows(() => name("id; DROP TABLE runs"), TypeError, "no name of a column");
});

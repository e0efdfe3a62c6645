import { assertEquals, assertThrows } from "@std/assert";
import { any, compile, name, sql, when } from "../../../../server/store/database/sql.ts";

Deno.test("sql: puts pieces in place and binds every other value, as each database writes it", () => {
  const condition = sql`key = ${"anna"} ${when(true, sql`AND removed IS NULL`)}`;
  const statement = sql`SELECT id FROM owners WHERE ${condition} LIMIT ${2}${when(false, sql`!`)}`;
  assertEquals(compile(statement, "sqlite"), {
    text: "SELECT id FROM owners WHERE key = ? AND removed IS NULL LIMIT ?",
    values: ["anna", 2],
  });
  const { text } = compile(statement, "postgresql");
  assertEquals(text, "SELECT id FROM owners WHERE key = $1 AND removed IS NULL LIMIT $2");
});

Deno.test("any: nests conditions in halves", () => {
  const conditions = [1, 2, 3].map((value) => sql`a = ${value}`);
  assertEquals(compile(any(conditions), "sqlite").text, "((a = ? OR a = ?) OR a = ?)");
});

Deno.test("name: refuses what is no name", () => {
  assertThrows(() => name("id; DROP TABLE runs"), TypeError, "no name of a column");
});

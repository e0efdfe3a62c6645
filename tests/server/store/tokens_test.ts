import { assertEquals } from "@std/assert";
import { MINUTE, SECOND } from "../../../lib/time_units.ts";
import type { Database } from "../../../server/store/database/database.ts";
import { compile, type Sql } from "../../../server/store/database/sql.ts";
import { tokensOn } from "../../../server/store/records/tokens.ts";

Deno.test("tokensOn: a token in use is written once a minute, however often it is used", async () => {
  const written: unknown[] = [];
  let lastUsed: number | null = null;
  const database = {
    read: () => Promise.resolve([{ lastUsed, name: "ci", role: "reader" }]),
    write: (statement: Sql) =>
      Promise.resolve(void written.push(compile(statement, "sqlite").values[0])),
  } as unknown as Database;
  const tokens = tokensOn(database);
  for (const at of [0, 1, 59, 60, 119]) {
    const found = await tokens.find("a-token", new Date(at * SECOND));
    assertEquals(found, { name: "ci", role: "reader" });
  }
  assertEquals(written, [0, MINUTE]);
  // Another process wrote it.
  lastUsed = MINUTE;
  await tokensOn(database).find("a-token", new Date(119 * SECOND));
  assertEquals(written, [0, MINUTE]);
});

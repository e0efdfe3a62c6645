import { assertEquals } from "@std/assert";
import { MINUTE, SECOND } from "../../../lib/time_units.ts";
import { tokensOn } from "../../../server/store/records/tokens.ts";
import { withSqlite } from "./sqlite/with_sqlite.ts";

Deno.test("tokensOn: a token in use is written once a minute, however often it is used", () =>
  withSqlite(async (database) => {
    let writes = 0;
    const counted: typeof database = {
      ...database,
      write: (statement) => (writes++, database.write(statement)),
    };
    const token = (await tokensOn(database).add("ci", "reader", new Date(0)))!;
    const tokens = tokensOn(counted);
    for (const at of [0, 1, 59, 60, 119]) {
      const found = await tokens.find(token, new Date(at * SECOND));
      assertEquals(found, { name: "ci", role: "reader" });
    }
    const [{ lastUsed }] = await tokens.list();
    assertEquals([writes, lastUsed], [2, MINUTE]);
    // Another process wrote it.
    await tokensOn(counted).find(token, new Date(119 * SECOND));
    assertEquals(writes, 2);
  }));

import { assertEquals, assertRejects } from "@std/assert";
import { MINUTE } from "../../../lib/time_units.ts";
import { sql } from "../../../server/store/database/sql.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { countOn } from "../../../server/store/limit.ts";
import { testOnBoth } from "./on_both.ts";

testOnBoth("countOn: a key may be used again a minute later", async (database) => {
  let now = Date.UTC(2026, 2, 10);
  const use = countOn(database, () => now);
  for (const key of ["one", "other"]) await use(key, 1);
  const { problem } = await assertRejects(() => use("one", 1), ProblemError, "again in 60 s");
  assertEquals([problem.status, problem.retryAfterSeconds], [429, 60]);
  now += MINUTE;
  await use("one", 1);
  await assertRejects(() => use("one", 1), Error, "1 requests a minute");
  if (database.system === "sqlite") return;
  assertEquals(await database.read(sql`SELECT key FROM request_counts`), [{ key: "one" }]);
});

import { assertEquals } from "@std/assert";
import type { Database } from "../../../../server/store/database/database.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { overviewOn } from "../../../../server/store/records/overview.ts";
import { SYSTEMS } from "../on_both.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";
import { testConcurrentRecords } from "./concurrent_contract.ts";
import { testRecordsContract } from "./records_contract.ts";

for (const register of [testRecordsContract, testConcurrentRecords]) {
  for (const [system, withDatabase] of Object.entries(SYSTEMS)) register(system, withDatabase);
}

Deno.test("overviewOn: finds each batch by key, and does not sort all schedules for it", () =>
  withSqlite(async (database) => {
    const steps = new Set();
    const read: Database["read"] = async (statement) => {
      const plan = await database.read<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`);
      for (const { detail } of plan) steps.add(detail);
      return [];
    };
    const { days, figures } = overviewOn({ ...database, read });
    for (const each of [days, figures]) await Array.fromAsync<unknown>(each());
    assertEquals([...steps], [
      "SEARCH w USING INTEGER PRIMARY KEY (rowid>?)",
      "SEARCH v USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    ]);
  }));

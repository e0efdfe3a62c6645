import { assertEquals } from "@std/assert";
import type { Engine } from "../../../../server/store/engine.ts";
import { overviewOn } from "../../../../server/store/records/overview.ts";
import { openPostgres } from "../../../../server/store/postgres/open_postgres.ts";
import { server } from "../postgres/shared.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";
import { testRecordsContract } from "./records_contract.ts";

testRecordsContract("SQLite", withSqlite);

testRecordsContract("PostgreSQL", async (work) => {
  const engine = await openPostgres({ url: await server.createSchemaDatabase() });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
});

Deno.test("overviewOn: finds each batch by key, and does not sort all schedules for it", () =>
  withSqlite(async (engine) => {
    const steps = new Set();
    const rows: Engine["rows"] = async (text, values) => {
      for (const step of await engine.rows(`EXPLAIN QUERY PLAN ${text}`, values)) {
        steps.add(step[3]);
      }
      return [];
    };
    const { days, figures, plans } = overviewOn({ ...engine, rows });
    for (const read of [days, figures, plans]) await Array.fromAsync<unknown>(read());
    const schedules = "SEARCH known_schedules USING INTEGER PRIMARY KEY (rowid>?)";
    assertEquals([...steps], [schedules, "SEARCH v USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"]);
  }));

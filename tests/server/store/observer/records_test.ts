import { openPostgres } from "../../../../server/store/postgres/open_postgres.ts";
import { openSqlite } from "../../../../server/store/sqlite/open_sqlite.ts";
import { server } from "../postgres/shared.ts";
import { testRecordsContract } from "./records_contract.ts";

testRecordsContract("SQLite", async (work) => {
  const engine = await openSqlite({ path: ":memory:" });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
});

testRecordsContract("PostgreSQL", async (work) => {
  const engine = await openPostgres({ url: await server.createSchemaDatabase() });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
});

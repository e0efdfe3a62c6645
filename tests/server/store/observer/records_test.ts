import { openPostgres } from "../../../../server/store/postgres/engine.ts";
import { openSqlite } from "../../../../server/store/sqlite/engine.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import { testRecordsContract } from "./records_contract.ts";

let server: PostgresServer;
Deno.test.beforeAll(async () => {
  server = await startPostgres();
});
Deno.test.afterAll(() => server.stop());

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

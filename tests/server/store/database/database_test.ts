import { openPostgres } from "../../../../server/store/postgres/open_postgres.ts";
import { reconnectingEngine } from "../../../../server/store/reconnecting_engine.ts";
import { openSqlite } from "../../../../server/store/sqlite/open_sqlite.ts";
import { server } from "../postgres/shared.ts";
import { inFolder } from "../sqlite/folder.ts";
import { testDatabaseContract } from "./database_contract.ts";

testDatabaseContract("SQLite in memory", async (work) => {
  const { database } = await openSqlite({ path: ":memory:" });
  await work(database);
  await database.close();
});

for (const inThreads of [true, false]) {
  const where = inThreads ? "threads" : "the program's thread";
  testDatabaseContract(
    `SQLite in ${where}, reopened when needed`,
    (work) =>
      inFolder(async (path) => {
        const { database } = reconnectingEngine(() => openSqlite({ path, inThreads }));
        await work(database);
        await database.close();
      }),
  );
}

testDatabaseContract("PostgreSQL", async (work) => {
  const { database } = await openPostgres({ url: await server.createSchemaDatabase() });
  await work(database);
  await database.close();
});

import { openPostgresql } from "../../../../server/store/database/postgresql.ts";
import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";
import { server } from "../postgres/shared.ts";
import { inFolder } from "../sqlite/folder.ts";
import { testDatabaseContract } from "./database_contract.ts";

testDatabaseContract("SQLite in memory", async (work) => {
  const database = await openSqlite({ path: ":memory:" });
  await work(database);
  await database.close();
});

for (const inThreads of [true, false]) {
  const where = inThreads ? "threads" : "the program's thread";
  testDatabaseContract(
    `SQLite in ${where}, reopened when needed`,
    (work) =>
      inFolder(async (path) => {
        const database = reconnectingDatabase(() => openSqlite({ path, inThreads }));
        await work(database);
        await database.close();
      }),
  );
}

testDatabaseContract("PostgreSQL", async (work) => {
  const database = await openPostgresql({ url: await server.createSchemaDatabase() });
  await work(database);
  await database.close();
});

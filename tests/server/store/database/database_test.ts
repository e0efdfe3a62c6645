import { reconnectingDatabase } from "../../../../server/store/database/reconnecting.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";
import { SYSTEMS } from "../on_both.ts";
import { inFolder, withSqlite } from "../sqlite/with_sqlite.ts";
import { testDatabaseContract } from "./database_contract.ts";

testDatabaseContract("SQLite in memory", withSqlite);

testDatabaseContract("SQLite in threads, reopened when needed", (work) =>
  inFolder(async (path) => {
    const database = reconnectingDatabase(() => openSqlite({ path }));
    await work(database);
    await database.close();
  }));

testDatabaseContract("PostgreSQL", SYSTEMS.PostgreSQL);

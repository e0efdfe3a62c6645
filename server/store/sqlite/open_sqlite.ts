/** The calls of the first edition on a SQLite database. They go as their callers move to it. */
import { databaseOn } from "../database/driver.ts";
import { openSqlite as openDriver, type SqliteOptions } from "../database/sqlite.ts";
import { ifWritable } from "../database_error.ts";
import type { OpenEngine } from "../engine.ts";
import { countInMemory } from "../limit.ts";

export type { SqliteOptions } from "../database/sqlite.ts";

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openSqlite(options: SqliteOptions): Promise<OpenEngine> {
  const driver = await openDriver(options);
  return {
    database: databaseOn(driver),
    rows: async (text, values = []) => {
      const statement = { text, values };
      const isRead = text.startsWith("SELECT") && !text.includes("FOR UPDATE");
      return (await (isRead ? driver.read(statement) : driver.write(statement))).rows;
    },
    writeIfFree: (sql) => ifWritable(() => driver.writeIfFree(sql)),
    isStale: () => driver.isStale(),
    countUse: countInMemory(),
    close: () => driver.close(),
  };
}

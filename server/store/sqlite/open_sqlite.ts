/** The calls of the first edition on a SQLite database. They go as their callers move to it. */
import { databaseOn } from "../database/driver.ts";
import { openSqlite as openDriver, type SqliteOptions } from "../database/sqlite.ts";
import { ifWritable } from "../database_error.ts";
import type { Engine, OpenEngine } from "../engine.ts";
import { countInMemory } from "../limit.ts";
import { writesBy } from "../writes.ts";
import { removeRunsBefore, SQLITE_WRITES, transact } from "./sqlite_writes.ts";

export type { SqliteOptions } from "../database/sqlite.ts";

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openSqlite(options: SqliteOptions): Promise<OpenEngine> {
  const driver = await openDriver(options);
  const transactSteps: Engine["transact"] = (steps) => transact(driver, steps);
  return {
    database: databaseOn(driver),
    rows: async (text, values = []) => {
      const statement = { text, values };
      const isRead = text.startsWith("SELECT") && !text.includes("FOR UPDATE");
      return (await (isRead ? driver.read(statement) : driver.write(statement))).rows;
    },
    transact: transactSteps,
    writeIfFree: (sql) => ifWritable(() => driver.writeIfFree(sql)),
    ...writesBy(SQLITE_WRITES, transactSteps),
    openMonths: () => Promise.resolve(),
    removeRunsBefore: (time) => removeRunsBefore(driver, time),
    isStale: () => driver.isStale(),
    countUse: countInMemory(),
    close: () => driver.close(),
  };
}

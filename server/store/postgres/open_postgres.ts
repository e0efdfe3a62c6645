/** The calls of the first edition on PostgreSQL. They go as their callers move to the database. */
import { databaseOn } from "../database/driver.ts";
import { openPostgresql, type PostgresqlOptions } from "../database/postgresql.ts";
import { ifWritable } from "../database_error.ts";
import type { OpenEngine } from "../engine.ts";
import { countOn } from "../limit.ts";
import { writesBy } from "../writes.ts";
import { numbered } from "./numbered.ts";
import { monthsOf, POSTGRES_WRITES, transact } from "./postgres_writes.ts";

export type { PostgresqlOptions as PostgresOptions } from "../database/postgresql.ts";

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openPostgres(options: PostgresqlOptions): Promise<OpenEngine> {
  const driver = await openPostgresql(options);
  const database = databaseOn(driver);
  return {
    database,
    rows: async (text, values = []) => {
      const statement = numbered({ text, values });
      // VACUUM can't run in a transaction.
      const isVacuum = text.startsWith("VACUUM");
      return (await (isVacuum ? driver.maintain(statement) : driver.write(statement))).rows;
    },
    transact: (steps) => transact(driver, steps),
    writeIfFree: (sql) => ifWritable(() => driver.writeIfFree(numbered(sql))),
    ...writesBy(POSTGRES_WRITES, (steps) => transact(driver, steps)),
    ...monthsOf(driver),
    isStale: () => false,
    countUse: countOn(database),
    close: () => driver.close(),
  };
}

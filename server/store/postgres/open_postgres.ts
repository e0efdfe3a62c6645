/** The calls of the first edition on PostgreSQL. They go as their callers move to the database. */
import { databaseOn } from "../database/driver.ts";
import { openPostgresql, type PostgresqlOptions } from "../database/postgresql.ts";
import { ifWritable } from "../database_error.ts";
import type { OpenEngine } from "../engine.ts";
import { countOn } from "../limit.ts";
import { numbered } from "./numbered.ts";

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
    writeIfFree: (sql) => ifWritable(() => driver.writeIfFree(numbered(sql))),
    isStale: () => false,
    countUse: countOn(database),
    close: () => driver.close(),
  };
}

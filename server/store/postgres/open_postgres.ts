/** Opens PostgreSQL, which several instances of Docket can share. */
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { ifWritable } from "../database_error.ts";
import { DEADLINE_MS, type OpenEngine } from "../engine.ts";
import { countWith } from "../limit.ts";
import { writesBy } from "../writes.ts";
import { openConnections, rowsOf } from "./connection.ts";
import { migratePostgres } from "./migrate_postgres.ts";
import { monthsOf, POSTGRES_WRITES, transact } from "./postgres_writes.ts";
import { postgresDatabase } from "./postgres_database.ts";

const SHORT_WAIT = { text: "SET LOCAL lock_timeout = 50", values: [] };

export interface PostgresOptions {
  readonly url: string;
  /** The most milliseconds that a query may take, except imports and migrations. Default: 15,000. */
  readonly deadlineMs?: number;
}

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openPostgres(
  { url, deadlineMs = DEADLINE_MS }: PostgresOptions,
): Promise<OpenEngine> {
  const connections = openConnections(url, deadlineMs);
  const { lookups, longWrites } = connections;
  try {
    await migratePostgres(connections, Math.ceil(deadlineMs / 3));
  } catch (error) {
    await connections.close();
    throw error;
  }
  return {
    database: postgresDatabase(connections, deadlineMs),
    rows: (text, values = []) => rowsOf(lookups, { text, values }),
    transact: (steps) => transact(lookups, steps),
    writeIfFree: (sql) => ifWritable(() => transact(lookups, [SHORT_WAIT, sql])),
    ...writesBy(POSTGRES_WRITES, (steps) => transact(longWrites, steps)),
    ...monthsOf(longWrites),
    isStale: () => false,
    countUse: countWith((perMinute) =>
      new RateLimiterPostgres({
        storeClient: lookups,
        storeType: "pool",
        tableName: "request_counts",
        tableCreated: true,
        clearExpiredByTimeout: true,
        points: perMinute,
        duration: 60,
        // While PostgreSQL is read-only, this process counts alone.
        insuranceLimiter: new RateLimiterMemory({ points: perMinute, duration: 60 }),
      })
    ),
    close: () => connections.close(),
  };
}

/** PostgreSQL, for several instances on the same data. */
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { ifWritable } from "../database_error.ts";
import { DEADLINE_MS } from "../deadline.ts";
import type { OpenEngine } from "../engine.ts";
import { countWith } from "../limit.ts";
import type { Sql } from "../sql.ts";
import { arraysOf, inTransaction, openConnections } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { type Known, searchesOf } from "./searches.ts";
import { clear, load, put, transact } from "./postgres_writes.ts";

/** How long a write that may be left out waits for another. */
const BRIEF = "SET LOCAL lock_timeout = 50";

// With the number of rows that PostgreSQL noted when it analyzed the table last.
const FILE_SETS_VERSION: Sql = {
  text: "SELECT (SELECT sum(version) FROM data_versions WHERE topic = 'file sets'), " +
    "has_long_texts, (SELECT greatest(reltuples, 0) FROM pg_class " +
    "WHERE oid = 'file_sets'::regclass) FROM data_state",
  values: [],
};
const RUNS_VERSION = "SELECT sum(version) FROM data_versions WHERE topic IN ('all runs', ?)";

/** Where a PostgreSQL database is, and how long to wait for it. */
export interface PostgresOptions {
  readonly url: string;
  /**
   * How long an answer may take, in milliseconds; imports and changes of the schema may take longer.
   * Default: 15,000.
   */
  readonly deadlineMs?: number;
}

/**
 * Opens a PostgreSQL database with the current schema.
 *
 * @throws {DatabaseError} when it can't be used
 */
export async function openPostgres(
  { url, deadlineMs = DEADLINE_MS }: PostgresOptions,
): Promise<OpenEngine> {
  const connections = openConnections(url, deadlineMs);
  const { lookups, working } = connections;
  try {
    await migrate(connections, Math.ceil(deadlineMs / 3));
  } catch (error) {
    await connections.close();
    throw error;
  }
  const known: Known = { hasLongTexts: true, size: 0 };
  // Another database at the same address may count its versions from the beginning again.
  const opening = crypto.randomUUID();
  return {
    system: "postgresql",
    ...searchesOf(connections, known),
    rows: (text, values = []) => arraysOf(lookups, { text, values }),
    transact: (steps) => transact(lookups, steps),
    writeIfFree: (sql) =>
      ifWritable(() =>
        inTransaction(lookups, async (client) => {
          await client.query(BRIEF);
          await arraysOf(client, sql);
        })
      ),
    async dataVersion() {
      const [[version, isLong, size]] = await arraysOf(lookups, FILE_SETS_VERSION);
      Object.assign(known, { hasLongTexts: isLong, size });
      return `${opening}/${version}`;
    },
    async runsVersion(scheduleId) {
      const values = [`runs of ${scheduleId}`];
      return `${opening}/${(await arraysOf(lookups, { text: RUNS_VERSION, values }))[0][0]}`;
    },
    put: (changes) => put(working, changes),
    load: (batches, onWritten) => load(working, batches, onWritten),
    clear: () => clear(working),
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
        // Where PostgreSQL can be read but not written, this process counts by itself.
        insuranceLimiter: new RateLimiterMemory({ points: perMinute, duration: 60 }),
      })
    ),
    close: () => connections.close(),
  };
}

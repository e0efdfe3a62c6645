/**
 * PostgreSQL, for several instances on the same data.
 *
 * @module
 */

import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Engine } from "../engine.ts";
import { limitBy } from "../limit.ts";
import { type Store, storeOn } from "../store.ts";
import { arraysOf, openPool } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { countFileSets, pageOfFileSets } from "./read.ts";
import { clear, load, put } from "./write.ts";

/** Opens the store in a PostgreSQL database. */
export async function openPostgresStore(options: { readonly url: string }): Promise<Store> {
  return storeOn(await openPostgres(options.url));
}

/** Opens a PostgreSQL database with the current schema. */
export async function openPostgres(url: string): Promise<Engine> {
  const pool = openPool(url);
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  let hasLongTexts = true;
  return {
    count: async (plan) => (await arraysOf(pool, countFileSets(plan)))[0][0] as number,
    page: (plan, counts) => arraysOf(pool, pageOfFileSets(plan, counts, hasLongTexts)),
    rows: (sql) => arraysOf(pool, sql),
    writeIfFree: async (sql) => void await arraysOf(pool, sql),
    async dataVersion() {
      const text = "SELECT version, has_long_texts FROM data_state";
      const [[version, isLong]] = await arraysOf(pool, { text, values: [] });
      hasLongTexts = isLong as boolean;
      return String(version);
    },
    put: (changes) => put(pool, changes),
    load: (batches) => load(pool, batches),
    clear: () => clear(pool),
    limit: (perMinute) =>
      limitBy(
        new RateLimiterPostgres({
          storeClient: pool,
          storeType: "pool",
          tableName: "request_counts",
          tableCreated: true,
          clearExpiredByTimeout: true,
          points: perMinute,
          duration: 60,
        }),
      ),
    close: () => pool.end(),
  };
}

/** Writing to PostgreSQL. */

// @ts-types="@types/pg"
import type pg from "pg";
import type { TransactionStep } from "../engine.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { WriteDialect } from "../writes.ts";
import { arraysOf, inTransaction } from "./connection.ts";

export const POSTGRES_WRITES: WriteDialect = {
  rowsAtOnce: 1000,
  afterFileSets: [],
  emptied: (tables) => [`TRUNCATE ${tables.join(", ")}`],
};

/** Vacuums: otherwise, pages are not read from an index alone until the server's own vacuum. */
export async function afterLoad(pool: pg.Pool, added: number): Promise<void> {
  const text = "VACUUM (ANALYZE) file_sets, run_versions";
  if (added >= 10_000) await arraysOf(pool, { text, values: [] });
}

/** Thrown within a transaction to roll it back. */
const UNDO = new Error("A required statement returned no row");

/** Runs statements in one transaction; null, and nothing done, if a required one gave no row. */
export async function transact(
  pool: pg.Pool,
  steps: readonly TransactionStep[],
): Promise<SqlRow[][] | null> {
  try {
    return await inTransaction(pool, async (client) => {
      const results: SqlRow[][] = [];
      for (const step of steps) {
        const rows = await arraysOf(client, step);
        if (step.required && rows.length === 0) throw UNDO;
        results.push(rows);
      }
      return results;
    });
  } catch (error) {
    if (error === UNDO) return null;
    throw error;
  }
}

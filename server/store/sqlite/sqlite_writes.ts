import type { Driver } from "../database/driver.ts";
import type { TransactionStep } from "../engine.ts";
import { NO_START } from "../ledger/run_parts.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { WriteDialect } from "../writes.ts";

export const SQLITE_WRITES: WriteDialect = {
  emptyTables: (tables) => tables.map((table) => `DELETE FROM ${table}`),
};

/** Removing this many runs takes a few milliseconds. */
const BATCH = 500;

/** Removes runs that started before a time, in small batches; other work runs in between. */
export async function removeRunsBefore({ read, write }: Driver, time: number): Promise<void> {
  const remove =
    "DELETE FROM run_versions WHERE rowid IN (SELECT rowid FROM run_versions WHERE rowid > ? " +
    "AND rowid <= ? AND start_time < ? AND start_time <> ?)";
  const text = "SELECT coalesce(max(rowid), 0) FROM run_versions";
  const [[last]] = (await read({ text, values: [] })).rows as [[number]];
  for (let from = 0; from < last; from += BATCH) {
    await write({ text: remove, values: [from, from + BATCH, time, NO_START] });
  }
}

const UNDO = new Error("A required statement returned no row");

/** Runs statements in one transaction; undoes it and returns null if a required one returned no row. */
export async function transact(
  driver: Driver,
  steps: readonly TransactionStep[],
): Promise<readonly (readonly SqlRow[])[] | null> {
  try {
    return await driver.transaction(async (run) => {
      const results: (readonly SqlRow[])[] = [];
      for (const { text, values, required } of steps) {
        // SQLite has one writer at a time, and no locks on rows.
        const unlocked = text.replace(/ FOR UPDATE( SKIP LOCKED)?/, "");
        const { rows } = await run({ text: unlocked, values });
        if (required && rows.length === 0) throw UNDO;
        results.push(rows);
      }
      return results;
    });
  } catch (error) {
    if (error === UNDO) return null;
    throw error;
  }
}

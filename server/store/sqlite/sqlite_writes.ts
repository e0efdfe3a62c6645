import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import type { TransactionStep } from "../engine.ts";
import { NO_START } from "../ledger/run_parts.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { WriteDialect } from "../writes.ts";
import type { InTurn } from "./sqlite_database.ts";
import type { Statements } from "./statements.ts";

export const SQLITE_WRITES: WriteDialect = {
  emptyTables: (tables) => tables.map((table) => `DELETE FROM ${table}`),
};

export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Removing this many runs takes a few milliseconds. */
const BATCH = 500;

/** Removes runs that started before a time, in small batches; other work runs in between. */
export async function removeRunsBefore(
  statements: Statements,
  time: number,
  inTurn: InTurn,
): Promise<void> {
  const remove = statements.prepare(
    "DELETE FROM run_versions WHERE rowid IN (SELECT rowid FROM run_versions WHERE rowid > ? " +
      "AND rowid <= ? AND start_time < ? AND start_time <> ?)",
  );
  const text = "SELECT coalesce(max(rowid), 0) FROM run_versions";
  const [[last]] = await inTurn(() => statements.read({ text, values: [] })) as [[number]];
  for (let from = 0; from < last; from += BATCH) {
    await inTurn(() => remove.run(from, from + BATCH, time, NO_START));
    await turn();
  }
}

const UNDO = new Error("A required statement returned no row");

/** Runs statements in one transaction; undoes it and returns null if a required one returned no row. */
export function transact(
  db: DatabaseSync,
  statements: Statements,
  steps: readonly TransactionStep[],
): SqlRow[][] | null {
  try {
    return transaction(db, () =>
      steps.map(({ text, values, required }) => {
        // SQLite has one writer at a time, and no locks on rows.
        const unlocked = text.replace(/ FOR UPDATE( SKIP LOCKED)?/, "");
        const rows = statements.read({ text: unlocked, values });
        if (required && rows.length === 0) throw UNDO;
        return rows;
      }));
  } catch (error) {
    if (error === UNDO) return null;
    throw error;
  }
}

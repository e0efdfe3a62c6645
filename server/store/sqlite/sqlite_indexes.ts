/**
 * The indexes of the file sets in SQLite. They can be dropped while many rows are written: without
 * them, every search gives the same answer, only later.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { FILE_SET_INDEXES } from "../indexes.ts";

/** How many file sets are indexed before anybody notices. */
export const QUICKLY_INDEXED = 20_000;

/** Makes the missing indexes. Other work runs in between: each may take a second or two. */
export async function makeIndexes(db: DatabaseSync): Promise<void> {
  for (const { name, field, descending } of FILE_SET_INDEXES) {
    const direction = descending ? " DESC" : "";
    db.exec(`CREATE INDEX IF NOT EXISTS ${name} ON file_sets (${field.column}${direction}, id)`);
    await turn();
  }
}

/** Removes them, until {@linkcode makeIndexes} is called or the database is opened again. */
export function dropIndexes(db: DatabaseSync): void {
  for (const { name } of FILE_SET_INDEXES) db.exec(`DROP INDEX IF EXISTS ${name}`);
}

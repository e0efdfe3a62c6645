/**
 * The indexes of the file sets in SQLite. They can be dropped while many rows are written: without
 * them every search still gives the same answer, only later.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { FILE_SET_INDEXES } from "../indexes.ts";

/** How many file sets are indexed before anybody notices. */
export const QUICKLY_INDEXED = 20_000;

/** The statements that make the indexes which are missing. */
export function missingIndexes(db: DatabaseSync): string[] {
  const present = new Set(
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all().map((row) => row.name),
  );
  return FILE_SET_INDEXES.filter(({ name }) => !present.has(name))
    .map(({ name, field, descending }) => {
      const direction = descending ? " DESC" : "";
      // IF NOT EXISTS: another process may be doing the same.
      return `CREATE INDEX IF NOT EXISTS ${name} ON file_sets (${field.column}${direction}, id)`;
    });
}

/** Makes the missing indexes. Others have their turn in between: each may take a second or two. */
export async function makeIndexes(db: DatabaseSync): Promise<void> {
  for (const statement of missingIndexes(db)) {
    db.exec(statement);
    await turn();
  }
}

/** Removes them, until {@linkcode makeIndexes} is called or the database is opened again. */
export function dropIndexes(db: DatabaseSync): void {
  for (const { name } of FILE_SET_INDEXES) db.exec(`DROP INDEX IF EXISTS ${name}`);
}

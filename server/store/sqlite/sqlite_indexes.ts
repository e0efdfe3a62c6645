/**
 * The indexes of the file sets in SQLite. They can be put aside while many rows are written:
 * without them every search still gives the same answer, only later.
 */
import type { DatabaseSync } from "node:sqlite";
import { FILE_SET_INDEXES } from "../indexes.ts";

/** How many file sets can be indexed before anybody notices. */
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

export function makeIndexes(db: DatabaseSync): void {
  for (const statement of missingIndexes(db)) db.exec(statement);
}

/** Removes them, until {@linkcode makeIndexes} is called or the database is opened again. */
export function dropIndexes(db: DatabaseSync): void {
  for (const { name } of FILE_SET_INDEXES) db.exec(`DROP INDEX IF EXISTS ${name}`);
}

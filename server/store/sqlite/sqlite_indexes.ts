/** The indexes of the file sets. They only make searches faster. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { FILE_SET_INDEXES } from "../fields.ts";
import type { Statements } from "./statements.ts";

/** Indexing this many file sets takes no noticeable time. */
const QUICKLY_INDEXED = 20_000;

/** Creates the missing indexes. Each may take a second or two, so other work runs in between. */
export async function makeIndexes(db: DatabaseSync): Promise<void> {
  for (const { name, field, descending } of FILE_SET_INDEXES) {
    const direction = descending ? " DESC" : "";
    db.exec(`CREATE INDEX IF NOT EXISTS ${name} ON file_sets (${field.column}${direction}, id)`);
    await turn();
  }
}

/** Drops the indexes, until {@linkcode makeIndexes} is called or the database is reopened. */
export function dropIndexes(db: DatabaseSync): void {
  for (const { name } of FILE_SET_INDEXES) db.exec(`DROP INDEX IF EXISTS ${name}`);
}

/** Drops the indexes if many file sets are new: creating them later is faster than updating them. */
export function duringLoad(db: DatabaseSync, statements: Statements, fileSets: number): void {
  if (fileSets >= QUICKLY_INDEXED && fileSets * 5 >= statements.lastKey()) dropIndexes(db);
}

export async function afterLoad(db: DatabaseSync, fileSets: number): Promise<void> {
  if (fileSets < QUICKLY_INDEXED) return;
  await makeIndexes(db);
  // Merges the batches' lists of trigrams into one.
  db.exec("INSERT INTO file_set_trigrams (file_set_trigrams) VALUES ('optimize')");
}

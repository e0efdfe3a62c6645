/** The indexes of the file sets. Without them, every search gives the same answer, only later. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { FILE_SET_INDEXES } from "../fields.ts";
import type { Statements } from "./statements.ts";

/** How many file sets are indexed before anybody notices. */
const QUICKLY_INDEXED = 20_000;

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

/** Drops the indexes once new file sets are many: sorting once later beats inserting into each. */
export function duringLoad(db: DatabaseSync, statements: Statements, fileSets: number): void {
  if (fileSets >= QUICKLY_INDEXED && fileSets * 5 >= statements.lastKey()) dropIndexes(db);
}

export async function afterLoad(db: DatabaseSync, fileSets: number): Promise<void> {
  if (fileSets < QUICKLY_INDEXED) return;
  await makeIndexes(db);
  // One list of trigrams instead of one for each batch.
  db.exec("INSERT INTO file_set_pieces (file_set_pieces) VALUES ('optimize')");
}

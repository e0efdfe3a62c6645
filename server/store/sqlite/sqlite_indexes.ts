/**
 * The indexes of the file sets in SQLite. They can be dropped while many rows are written: without
 * them, every search gives the same answer, only later.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import type { Batches, EngineChanges, Written } from "../engine.ts";
import { FILE_SET_INDEXES } from "../fields.ts";
import { attempt } from "./sqlite_errors.ts";

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

/**
 * Puts batch after batch. Once the new rows are many, beside those that were there, the indexes are
 * dropped and made again at the end: sorting once is several times quicker than inserting into each.
 * If the process is killed in between, opening the database makes them again.
 */
export async function load(
  db: DatabaseSync,
  batches: Batches<EngineChanges>,
  put: (changes: EngineChanges) => Promise<Written>,
  onWritten: (written: Written) => void = () => {},
): Promise<void> {
  const { before } = await attempt(() =>
    db.prepare("SELECT count(*) AS before FROM file_sets").get()!
  );
  let added = 0;
  let areDropped = false;
  try {
    for await (const batch of batches) {
      if (!areDropped && added >= QUICKLY_INDEXED && added >= Number(before) / 4) {
        areDropped = true;
        await attempt(() => dropIndexes(db));
      }
      const written = await put(batch);
      if (batch.fileSets?.length) added += written.added;
      onWritten(written);
    }
  } finally {
    if (areDropped) {
      await attempt(async () => {
        await makeIndexes(db);
        // One list of trigrams instead of one for each batch.
        db.exec("INSERT INTO file_set_pieces (file_set_pieces) VALUES ('optimize')");
      });
    }
  }
}

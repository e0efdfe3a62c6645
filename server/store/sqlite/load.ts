import type { DatabaseSync } from "node:sqlite";
import type { Batches, EngineChanges, Written } from "../engine.ts";
import { attempt } from "./sqlite_errors.ts";
import { dropIndexes, makeIndexes, QUICKLY_INDEXED } from "./sqlite_indexes.ts";

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

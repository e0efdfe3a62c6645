/**
 * Copies the file sets of an upstream service into the store. The position is stored with the rows,
 * so the next sync resumes one that was interrupted.
 */
import type { Checkpoint } from "../../../lib/mod.ts";
import { readEntry } from "../import/entries.ts";
import type { Store } from "../store.ts";
import {
  copyRows,
  idsMarkedAsGone,
  markAsGone,
  type SyncSource,
  type SyncSummary,
  walkFrom,
} from "./copy_rows.ts";

const PREFETCH = 4;
const BATCH = 1000;

export async function syncFileSets(store: Store, source: SyncSource): Promise<SyncSummary> {
  const name = `sync ${source.baseUrl} file sets`;
  const note = source.isFull ? undefined : await store.note(name);
  const resume: Checkpoint | undefined = note === undefined ? undefined : JSON.parse(note);
  const list = source.client.fileSets.search({}, { limit: source.limit });
  const walk = walkFrom(list, resume, { prefetch: PREFETCH });
  const copied = copyRows(store, source);
  const seen = new Set<string>();
  for await (const fileSet of walk) {
    seen.add(fileSet.id);
    copied.take(fileSet.id, readEntry(fileSet));
    if (copied.waiting() < BATCH) continue;
    await copied.put({ [name]: JSON.stringify(walk.checkpoint()) });
  }
  await copied.put({ [name]: null });
  const hasDrift = walk.report.driftCount > 0;
  // After an interrupted sync, it is not known which rows the first part of it read.
  const candidates = resume || hasDrift
    ? await idsMarkedAsGone<string>(store, name)
    : await store.fileSetIds();
  const gone = candidates.filter((id) => !seen.has(id));
  await markAsGone(store, name, gone);
  return { ...copied.summary(), gone: gone.length, hasDrift };
}

/**
 * Copies an upstream service into the store with the client's walks. How far it is, is kept with the
 * rows: interrupted at any moment, the next sync goes on from there.
 */
import type { Checkpoint, Client } from "../../../lib/mod.ts";
import { walkFileSets } from "../../../lib/client/walks/lists.ts";
import { LIMITS } from "../search/validate.ts";
import type { Store } from "../store.ts";
import { changesOf, type ImportEntry, readEntry } from "../import/entries.ts";
import { walkOn } from "./resume.ts";
import type { RowCounts } from "../row_counts.ts";

export interface SyncSummary extends RowCounts {
  /** Rows in the store that the service does not have any more; they are kept. */
  readonly gone: number;
  /** Whether rows changed while they were read, so that some may be missing. */
  readonly hasDrift: boolean;
}

/** Where a sync copies from, and whom it tells. */
export interface SyncSource {
  readonly client: Client;
  /** Its base URL, which tells it from other services. */
  readonly baseUrl: string;
  /** The most rows to ask for at once. */
  readonly limit: number;
  /** Whether everything is read again, whatever was read before. */
  readonly isFull?: boolean;
  /** Called with the counts after each batch is in the store. */
  readonly onBatch?: (summary: SyncSummary) => void;
  /** Called for each row that can't be taken. */
  readonly onRejected?: (id: string | number, issues: readonly string[]) => void;
}

export const PREFETCH = 4;

const BATCH = 1000;

export async function syncFileSets(store: Store, source: SyncSource): Promise<SyncSummary> {
  const name = `sync ${source.baseUrl} file sets`;
  const note = source.isFull ? undefined : await store.note(name);
  const resume: Checkpoint | undefined = note === undefined ? undefined : JSON.parse(note);
  const list = source.client.fileSets.search({}, { limit: source.limit });
  const walk = walkOn(list, resume, { prefetch: PREFETCH });
  const copy = copying(store, source);
  const seen = new Set<string>();
  for await (const fileSet of walk) {
    seen.add(fileSet.id);
    copy.take(fileSet.id, readEntry(fileSet));
    if (copy.waiting() < BATCH) continue;
    await copy.put({ [name]: JSON.stringify(walk.checkpoint()) });
  }
  await copy.put({ [name]: null });
  const hasDrift = walk.report.driftCount > 0;
  // What an interrupted sync had read is not known any more.
  const gone = resume || hasDrift
    ? (await markedAsGone<string>(store, name)).filter((id) => !seen.has(id))
    : await unseenFileSets(store, seen);
  await markAsGone(store, name, gone);
  return { ...copy.summary(), gone: gone.length, hasDrift };
}

async function unseenFileSets(store: Store, seen: ReadonlySet<string>): Promise<string[]> {
  const unseen: string[] = [];
  for await (const { fileSets } of walkFileSets(store, {}, { limit: LIMITS.pageSize }).pages()) {
    unseen.push(...fileSets.map(({ id }) => id).filter((id) => !seen.has(id)));
  }
  return unseen;
}

/** The ids of rows that the service did not have any more at the last sync. */
export async function markedAsGone<Id>(store: Store, name: string): Promise<readonly Id[]> {
  return JSON.parse(await store.note(`gone from ${name}`) ?? "[]");
}

/** Keeps the ids of rows that the service does not have any more, in place of those of last time. */
export async function markAsGone(
  store: Store,
  name: string,
  ids: readonly (string | number)[],
): Promise<void> {
  const kept = ids.length === 0 ? null : JSON.stringify(ids);
  await store.put({ notes: { [`gone from ${name}`]: kept } });
}

export type Copying = ReturnType<typeof copying>;

export function copying(store: Store, source: SyncSource) {
  const counts = { read: 0, added: 0, changed: 0, rejected: 0, gone: 0, hasDrift: false };
  let entries: ImportEntry[] = [];
  return {
    take(id: string | number, entry: ImportEntry): void {
      counts.read++;
      if ("issues" in entry) {
        counts.rejected++;
        source.onRejected?.(id, entry.issues);
      } else {
        entries.push(entry);
      }
    },
    /** How many rows are taken and not yet put. */
    waiting: (): number => entries.length,
    /** Puts them, and notes with them. */
    async put(notes: Readonly<Record<string, string | null>>, schedules: readonly number[] = []) {
      const written = await store.put({ ...changesOf(entries), schedules, notes });
      counts.added += written.added;
      counts.changed += written.changed;
      entries = [];
      source.onBatch?.({ ...counts });
    },
    summary: (): SyncSummary => ({ ...counts }),
  };
}

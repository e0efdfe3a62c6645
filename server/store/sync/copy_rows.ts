/** What copying file sets and copying runs have in common. */
import type { Checkpoint, Client, Walk, WalkOptions } from "../../../lib/mod.ts";
import { isDocketError } from "../../../lib/errors.ts";
import { changesOf, type ImportEntry } from "../import/entries.ts";
import type { RowCounts } from "../row_counts.ts";
import type { Store } from "../store.ts";

export interface SyncSummary extends RowCounts {
  /** How many stored rows the service no longer has; they stay. */
  readonly gone: number;
  /** Whether rows changed while they were read, so that some may be missing. */
  readonly hasDrift: boolean;
}

/** Where a sync copies from, and what it reports to. */
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

export type CopiedRows = ReturnType<typeof copyRows>;

/** Collects rows, puts them into the store in batches, and counts them. */
export function copyRows(store: Store, source: SyncSource) {
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
    /** How many rows were taken and not yet put. */
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

/**
 * Resumes a walk. A checkpoint that the client rejects, such as one of another version, is ignored:
 * copying rows again does no harm, and giving up each time would.
 */
export function walkFrom<Page, Item>(
  list: { walk(options?: WalkOptions): Walk<Page, Item> },
  checkpoint: Checkpoint | undefined,
  options: WalkOptions = {},
): Walk<Page, Item> {
  if (!checkpoint) return list.walk(options);
  try {
    return list.walk({ ...options, resume: checkpoint });
  } catch (error) {
    const isRejected = isDocketError(error) && error.kind === "configuration" &&
      error.parameter === "resume";
    if (!isRejected) throw error;
    return list.walk(options);
  }
}

/** The ids of rows that the service no longer had at the last sync. */
export async function idsMarkedAsGone<Id>(store: Store, name: string): Promise<readonly Id[]> {
  return JSON.parse(await store.note(`gone from ${name}`) ?? "[]");
}

/** Stores the ids of rows that the service no longer has, replacing those of the last sync. */
export async function markAsGone(
  store: Store,
  name: string,
  ids: readonly (string | number)[],
): Promise<void> {
  const note = ids.length === 0 ? null : JSON.stringify(ids);
  await store.put({ notes: { [`gone from ${name}`]: note } });
}

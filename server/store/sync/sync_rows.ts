import { DAY } from "../../../lib/time_units.ts";
import type { Client } from "../../../lib/mod.ts";
import { changesOf, type ImportEntry, readEntry } from "../import/entries.ts";
import type { StoredRunTimes } from "../ledger/stored_runs.ts";
import type { RowCounts } from "../row_counts.ts";
import type { Store } from "../store.ts";

export interface SyncSummary extends RowCounts {
  /** How many stored rows were not among those that were read again; they stay stored. */
  readonly gone: number;
  /** Whether rows changed while they were read, so that some may be missing. */
  readonly hasDrift: boolean;
}

export interface SyncSource {
  readonly client: Client;
  readonly baseUrl: string;
  readonly limit: number;
  readonly isFull: boolean;
  report(line: string): void;
}

const BATCH = 1000;
const PREFETCH = 4;

/** A run may appear after newer ones, so a sync reads at least this far back. */
const WINDOW_MS = 7 * DAY;
/** It also reads at least this many of the newest runs again. */
const OVERLAP = 50;
/** An unfinished run is read again until there are runs newer by this much. */
const UNFINISHED_MS = 30 * DAY;

export async function syncFileSets(store: Store, source: SyncSource): Promise<SyncSummary> {
  const list = source.client.fileSets.search({}, { limit: source.limit });
  const walk = list.walk({ prefetch: PREFETCH });
  const copied = copyRows(store, source, "file sets");
  const seen = new Set<string>();
  for await (const fileSet of walk) {
    seen.add(fileSet.id);
    await copied.add(fileSet.id, readEntry(fileSet));
  }
  await copied.put();
  const hasDrift = walk.report.driftCount > 0;
  const stored = hasDrift ? [] : await store.fileSetIds();
  return { ...copied.counts, gone: stored.filter((id) => !seen.has(id)).length, hasDrift };
}

/** Copies a history: at first all of it; later, if it is newest first, only what may have changed. */
export async function syncRuns(
  store: Store,
  source: SyncSource,
  scheduleId: number,
): Promise<SyncSummary> {
  const name = `sync ${source.baseUrl} runs ${scheduleId}`;
  const isComplete = !source.isFull && await store.metadata(name) !== undefined;
  const stored = await store.runTimes(scheduleId);
  const unchangedBefore = isComplete ? startOfUnchanged(stored) : -Infinity;
  const list = source.client.reportSchedules.history(scheduleId, { limit: source.limit });
  const walk = list.walk();
  // If the sync is interrupted after its first batch, the next one reads the whole history.
  const copied = copyRows(store, source, `runs of ${scheduleId}`, { metadata: { [name]: null } });
  const seen = new Set<number>();
  let last = Infinity;
  let isNewestFirst = true;
  let readSince = -Infinity;
  for await (const page of walk.pages()) {
    for (const run of page) {
      const start = Date.parse(run.startTime ?? "");
      const isFirst = seen.size === 0;
      isNewestFirst &&= start <= last && (!isFirst || start >= (stored[0]?.start ?? start));
      last = start;
      seen.add(run.id);
      await copied.add(run.id, readEntry(run, scheduleId));
    }
    if (isNewestFirst && last < unchangedBefore) {
      readSince = last;
      break;
    }
  }
  await copied.put({ schedules: [scheduleId], metadata: { [name]: "complete" } });
  await store.pollSoon([scheduleId]);
  const hasDrift = walk.report.driftCount > 0;
  const gone = stored.filter(({ id, start }) => start > readSince && !seen.has(id));
  return { ...copied.counts, gone: hasDrift ? 0 : gone.length, hasDrift };
}

/** Runs that started before this time are not expected to have changed. */
function startOfUnchanged(stored: readonly StoredRunTimes[]): number {
  if (stored.length < OVERLAP) return -Infinity;
  const newest = stored[0].start;
  const unfinished = stored.filter(({ start, end }) =>
    end === null && newest - start <= UNFINISHED_MS
  );
  return Math.min(
    newest - WINDOW_MS,
    stored[OVERLAP - 1].start,
    ...unfinished.map(({ start }) => start),
  );
}

/** Collects rows, puts them into the store in batches, each with `more`, and counts them. */
function copyRows(
  store: Store,
  { report }: SyncSource,
  noun: string,
  more: Parameters<Store["put"]>[0] = {},
) {
  const counts = { read: 0, added: 0, changed: 0, rejected: 0 };
  let entries: ImportEntry[] = [];
  let reported = 0;

  async function put(changes: Parameters<Store["put"]>[0] = {}): Promise<void> {
    const { added, changed } = await store.put({ ...changesOf(entries), ...changes });
    counts.added += added;
    counts.changed += changed;
    entries = [];
    if (counts.read > reported) report(`${counts.read} ${noun} read`);
    reported = counts.read;
  }

  return {
    counts,
    put,
    async add(id: string | number, entry: ImportEntry): Promise<void> {
      counts.read++;
      if ("issues" in entry) {
        counts.rejected++;
        report(`${noun}, ${id}: ${entry.issues.join("; ")}`);
      } else {
        entries.push(entry);
      }
      if (entries.length >= BATCH) await put(more);
    },
  };
}

import type { Changes } from "../engine.ts";
import type { RowCounts } from "../row_counts.ts";
import type { Store } from "../store.ts";
import { changesOf, type ImportEntry, type ImportValue, readEntry } from "./entries.ts";

export interface ImportOptions {
  /** The schedule of runs that do not name theirs. */
  readonly scheduleId?: number;
  /** Called with the counts so far, after each batch but the last. */
  onBatch(counts: RowCounts): void;
  /** Called for each entry that is rejected, with its place, such as "line 5". */
  onRejected(place: string, issues: readonly string[]): void;
  /** Called for an entry whose id an earlier one has, which it replaces. */
  onRepeated(place: string, id: string, earlier: string): void;
  /** Called for members that are not stored, once for each name. */
  onUnknown(name: string, place: string): void;
}

const BATCH_ENTRIES = 10_000;
/** The most groups of values in a batch, each about a megabyte of a file. */
const BATCH_GROUPS = 16;
/** Repeated ids are noticed among this many, which take some 150 MB. */
const MOST_IDS = 1_000_000;
const MOST_UNKNOWN = 100;

export async function importValues(
  store: Store,
  groups: AsyncIterable<readonly ImportValue[]>,
  options: ImportOptions,
): Promise<RowCounts> {
  const counts = { read: 0, added: 0, changed: 0, rejected: 0 };
  const unknownNames = new Set<string>();
  const places = new Map<string, string>();

  function take({ place, value, issue }: ImportValue): ImportEntry[] {
    const entry = issue ? { issues: [issue] } : readEntry(value, options.scheduleId);
    counts.read++;
    if ("issues" in entry) {
      counts.rejected++;
      options.onRejected(place, entry.issues);
      return [];
    }
    const id = idOf(entry);
    const earlier = places.get(id);
    if (earlier !== undefined) options.onRepeated(place, id, earlier);
    if (earlier !== undefined || places.size < MOST_IDS) places.set(id, place);
    for (const name of entry.unknown) {
      if (unknownNames.size >= MOST_UNKNOWN || unknownNames.has(name)) continue;
      unknownNames.add(name);
      options.onUnknown(name, place);
    }
    return [entry];
  }

  async function* batches(): AsyncGenerator<Changes> {
    let entries: ImportEntry[] = [];
    let groupCount = 0;
    for await (const group of groups) {
      groupCount++;
      for (const value of group) {
        if (entries.length >= BATCH_ENTRIES || groupCount > BATCH_GROUPS) {
          yield changesOf(entries);
          options.onBatch(counts);
          entries = [];
          groupCount = 1;
        }
        entries.push(...take(value));
      }
    }
    yield changesOf(entries);
  }

  await store.load(batches(), ({ added, changed }) => {
    counts.added += added;
    counts.changed += changed;
  });
  return counts;
}

function idOf(entry: Exclude<ImportEntry, { readonly issues: unknown }>): string {
  return "fileSet" in entry ? entry.fileSet.id : `${entry.run.id} of schedule ${entry.scheduleId}`;
}

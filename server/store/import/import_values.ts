/** Puts the entries of a stream into the store, batch by batch. */
import { isRow } from "../../../lib/client/row_checks.ts";
import type { Changes } from "../engine.ts";
import type { Store } from "../store.ts";
import type { RowCounts } from "../row_counts.ts";
import { changesOf, type ImportEntry, readEntry } from "./entries.ts";
import type { JsonValue, Position } from "./json_values.ts";

export interface ImportOptions {
  /** The schedule of runs that do not name theirs. */
  readonly scheduleId?: number;
  /** Where an import of the same stream stopped. */
  readonly from?: Position;
  /** Makes the note that stores the position with each batch. */
  readonly noteOf?: (position: Position) => Readonly<Record<string, string | null>>;
  /** Called with the counts so far, after each batch but the last. */
  readonly onBatch?: (summary: RowCounts) => void;
  /** Called for each entry that is rejected, with its place, such as "line 5". */
  readonly onRejected?: (place: string, issues: readonly string[]) => void;
  /** Called for an entry whose id an earlier one has, which it replaces. */
  readonly onRepeated?: (place: string, id: string, earlier: string) => void;
  /** Called for members that are not stored, once for each name. */
  readonly onUnknown?: (name: string, place: string) => void;
}

const NOTHING: RowCounts = { read: 0, added: 0, changed: 0, rejected: 0 };
/** Batches double up to the largest, so that the first progress is reported soon. */
const FIRST_BATCH_ENTRIES = 1000;
const MOST_BATCH_ENTRIES = 10_000;
/** Repeated ids are noticed among this many, which take some 150 MB. */
const MOST_IDS = 1_000_000;
const BATCH_BYTES = 16 * 1024 * 1024;

export async function importValues(
  store: Store,
  values: AsyncIterable<readonly JsonValue[]>,
  options: ImportOptions = {},
): Promise<RowCounts> {
  let summary = NOTHING;
  const underWay: Batch[] = [];
  const changes = async function* (): AsyncGenerator<Changes> {
    for await (const batch of batchesOf(values, options)) {
      underWay.push(batch);
      const notes = options.noteOf?.(batch.end);
      yield { ...changesOf(batch.entries), ...(notes ? { notes } : {}) };
    }
  };
  await store.load(changes(), ({ added, changed }) => {
    const { counts, isLast } = underWay.shift()!;
    summary = plus(summary, { ...counts, added, changed });
    if (!isLast) options.onBatch?.(summary);
  });
  return summary;
}

interface Batch {
  readonly entries: readonly ImportEntry[];
  readonly counts: RowCounts;
  readonly end: Position;
  readonly isLast: boolean;
}

async function* batchesOf(
  values: AsyncIterable<readonly JsonValue[]>,
  options: ImportOptions,
): AsyncGenerator<Batch> {
  const unknownNames = new Set<string>();
  const places = new Map<string, string>();
  let mostEntries = FIRST_BATCH_ENTRIES;
  let entries: ImportEntry[] = [];
  let bytes = 0;
  let counts = { ...NOTHING };
  const from = options.from ?? { position: 0, line: 1 };
  let end = from;
  const taken = (isLast: boolean): Batch => {
    const batch = { entries, counts, end, isLast };
    mostEntries = Math.min(2 * mostEntries, MOST_BATCH_ENTRIES);
    entries = [];
    bytes = 0;
    counts = { ...NOTHING };
    return batch;
  };
  for await (const group of values) {
    for (const value of group) {
      if (value.end <= from.position) continue; // Done before.
      for (const { entry, place } of entriesIn(value, options.scheduleId)) {
        if (entries.length >= mostEntries) yield taken(false);
        counts.read++;
        if ("issues" in entry) {
          counts.rejected++;
          options.onRejected?.(place, entry.issues);
          continue;
        }
        entries.push(entry);
        const id = idOf(entry);
        const earlier = places.get(id);
        if (earlier !== undefined) options.onRepeated?.(place, id, earlier);
        if (earlier !== undefined || places.size < MOST_IDS) places.set(id, place);
        for (const name of entry.unknown) {
          if (unknownNames.size >= 100 || unknownNames.has(name)) continue;
          unknownNames.add(name);
          options.onUnknown?.(name, place);
        }
      }
      bytes += value.bytes.length;
      end = { position: value.end, line: value.line + 1 };
      if (bytes >= BATCH_BYTES) yield taken(false);
    }
  }
  yield taken(true);
}

/** What an entry replaces has the same id. */
function idOf(entry: Exclude<ImportEntry, { readonly issues: unknown }>): string {
  return "fileSet" in entry ? entry.fileSet.id : `${entry.run.id} of schedule ${entry.scheduleId}`;
}

/** The entries in one JSON value, itself or the rows of a list or of an answer, and their places. */
function* entriesIn(
  { bytes, line, issue }: JsonValue,
  scheduleId: number | undefined,
): Generator<{ readonly entry: ImportEntry; readonly place: string }> {
  if (issue) return yield { entry: { issues: [issue] }, place: `line ${line}` };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const [where = ""] = /\(line \d+ column \d+\)$/.exec((error as Error).message) ?? [];
    const issue = `is not valid JSON in UTF-8 ${where}`.trim();
    yield { entry: { issues: [issue] }, place: `line ${line}` };
    return;
  }
  const list = isRow(json) && Array.isArray(json.fileSets) ? json.fileSets : json;
  if (!Array.isArray(list)) {
    yield { entry: readEntry(list, scheduleId), place: `line ${line}` };
    return;
  }
  for (const [at, each] of list.entries()) {
    yield { entry: readEntry(each, scheduleId), place: `entry ${at + 1} of line ${line}` };
  }
}

function plus(one: RowCounts, other: RowCounts): RowCounts {
  return {
    read: one.read + other.read,
    added: one.added + other.added,
    changed: one.changed + other.changed,
    rejected: one.rejected + other.rejected,
  };
}

import { withZone } from "../../../lib/runs/times.ts";
import type { Changes, RowCounts } from "../changes.ts";
import { SAMPLE } from "../schema/embedded_tables.ts";
import type { Store } from "../store.ts";
import { SEEDED } from "../sample/fill.ts";
import { CsvError } from "./csv_rows.ts";
import { groupEntries, type ImportEntry, type ImportValue, readEntry } from "./entries.ts";

interface ImportOptions {
  /** Entries in each transaction. */
  readonly batch?: number;
  /** Called before the first entries are written, if there are any. */
  beforeFirst?(): Promise<void>;
  readonly scheduleId?: number;
  /** The zone of runs' times that name none. Default: UTC. */
  readonly zone?: string;
  onBatch(counts: RowCounts): void | Promise<void>;
  /** Called for each entry that is rejected, or replaces another one of the file. */
  onIssue(location: string, issue: string): void;
}

const BATCH_ENTRIES = 10_000;
/** The most groups of values in a batch; each is of some 16 KB of a file. */
const BATCH_GROUPS = 1024;
/** Repeated ids are noticed among the first of this many, which need some 150 MB. */
const MAX_IDS = 1_000_000;

export async function importValues(
  store: Store,
  groups: AsyncIterable<readonly ImportValue[]>,
  options: ImportOptions,
): Promise<RowCounts> {
  const counts = { read: 0, added: 0, changed: 0, rejected: 0 };
  const locations = new Map<string, string>();

  function accept({ location, value, issue }: ImportValue): ImportEntry[] {
    const entry = issue ? { issues: [issue] } : readEntry(value, options.scheduleId);
    counts.read++;
    if ("issues" in entry) {
      counts.rejected++;
      options.onIssue(location, entry.issues.join("; "));
      return [];
    }
    const id = nameEntry(entry);
    const earlier = locations.get(id);
    const isRepeated = earlier !== undefined;
    if (isRepeated) {
      options.onIssue(location, `id ${id} is also in ${earlier}: this entry replaces it`);
    }
    if (isRepeated || locations.size < MAX_IDS) locations.set(id, location);
    return ["run" in entry ? { ...entry, run: withZone(entry.run, options.zone ?? "UTC") } : entry];
  }

  async function* batches(): AsyncGenerator<Changes> {
    let entries: ImportEntry[] = [];
    let groupCount = 0;
    let isFirst = true;
    const toChanges = async (): Promise<Changes> => {
      if (isFirst && entries.length > 0) {
        isFirst = false;
        await options.beforeFirst?.();
      }
      if (entries.length === 0) return {};
      // At once, so that nothing else is taken for the sample's if the import is interrupted.
      const metadata = { [SEEDED]: new Date().toISOString(), [SAMPLE]: null };
      return { ...groupEntries(entries), metadata };
    };
    for await (const group of groups) {
      groupCount++;
      for (const value of group) {
        if (entries.length >= (options.batch ?? BATCH_ENTRIES) || groupCount > BATCH_GROUPS) {
          yield await toChanges();
          await options.onBatch(counts);
          [entries, groupCount] = [[], 1];
        }
        entries.push(...accept(value));
      }
    }
    yield await toChanges();
  }

  await store.load(batches(), ({ added, changed }) => {
    counts.added += added;
    counts.changed += changed;
  });
  if (counts.read === 0) throw new CsvError("The file is empty");
  return counts;
}

/** Reads a map such as `Report ID=scheduleId,Sent at=startTime`. @throws {CsvError} With all faults */
export function readMap(text = ""): ReadonlyMap<string, string> {
  const faults: string[] = [];
  const map = new Map<string, string>();
  for (const part of text.split(",").filter((part) => part.trim() !== "")) {
    const [from, to] = part.split(/=(?=[^=]*$)/).map((each) => each.trim());
    if (!from || to === undefined) faults.push(`"${part.trim()}" is not HEADER=NAME`);
    else if (map.has(from)) faults.push(`"${from}" is there twice`);
    else map.set(from, to);
  }
  if (faults.length > 0) throw new CsvError(`the map: ${faults.join("; ")}`);
  return map;
}

function nameEntry(entry: Exclude<ImportEntry, { readonly issues: unknown }>): string {
  return "fileSet" in entry ? entry.fileSet.id : `${entry.run.id} of schedule ${entry.scheduleId}`;
}

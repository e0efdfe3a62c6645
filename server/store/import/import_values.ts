/** Imports entries. An entry is complete, or it is rejected with every issue. */
import { inexactIn, isRow, isTime, type Row } from "../../../lib/client/row_checks.ts";
import {
  type Field,
  type FieldKind,
  FILE_SET_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../../../lib/fields.ts";
import type { Changes, Store } from "../store.ts";
import type { FileSet, ReportRun } from "../../../lib/types.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import type { ValidationIssue } from "../../http/problem.ts";
import { flag, integer, type Shape, text, value } from "../../http/shape.ts";
import { withZone } from "../../../lib/runs/times.ts";
import { CsvError } from "./csv_rows.ts";
import type { ChangedRows } from "../file_sets/write.ts";

export interface ImportValue {
  /** Its position in the file, such as "line 5". */
  readonly location: string;
  readonly value?: unknown;
  readonly issue?: string;
}

type ImportEntry =
  | { readonly fileSet: FileSet }
  | { readonly scheduleId: number; readonly run: ReportRun }
  | { readonly issues: readonly string[] };

type Fields = Readonly<Record<string, Field>>;
export const RUN: Fields = { scheduleId: { kind: "integer", mayBeMissing: false }, ...RUN_FIELDS };

const FILE_SET_ONLY = Object.keys(FILE_SET_FIELDS).filter((name) => name !== "id");
const RUN_ONLY = ["scheduleId", "reportId", "startTime"];

/** Reads an entry. Its members, or else the type of its id, show whether it is a file set or a run. */
export function readEntry(json: unknown, scheduleId?: number): ImportEntry {
  if (!isRow(json)) return { issues: ["is not an object"] };
  const isRun = RUN_ONLY.some((name) => name in json) ||
    typeof json.id === "number" && !FILE_SET_ONLY.some((name) => name in json);
  return isRun ? readRun(json, scheduleId) : readFileSet(json);
}

function groupEntries(entries: readonly ImportEntry[]): Changes {
  const runs = entries.flatMap((entry) => "run" in entry ? [entry] : []);
  return {
    fileSets: entries.flatMap((entry) => "fileSet" in entry ? [entry.fileSet] : []),
    runs,
    known: [...new Set(runs.map(({ scheduleId }) => scheduleId))],
  };
}

/** A file set is stored as it came. One without an id has its name for one. */
function readFileSet(json: Readonly<Row>): ImportEntry {
  const id = json.id || json.name;
  if (!id) return { issues: ["needs an id or a name (a file set), or a scheduleId (a run)"] };
  const { row, issues } = readMembers({ ...json, id }, FILE_SET_FIELDS);
  return issues.length > 0 ? { issues } : { fileSet: row as unknown as FileSet };
}

/** A run is stored as it came, without the id of its schedule. */
function readRun(json: Readonly<Row>, optionId: number | undefined): ImportEntry {
  const { row: { scheduleId: memberId, ...run }, issues } = readMembers(json, RUN);
  const scheduleId = memberId ?? optionId;
  if ((json.id ?? null) === null) issues.push("id is missing");
  if (typeof scheduleId !== "number") {
    if ((json.scheduleId ?? null) === null) {
      issues.push("scheduleId is missing, and there is no --schedule");
    }
  } else if (optionId !== undefined && scheduleId !== optionId) {
    issues.push(`scheduleId is ${scheduleId}, but --schedule is ${optionId}`);
  } else if (scheduleId < 0) {
    issues.push("scheduleId must not be negative");
  }
  const { recipients } = run;
  if (!Array.isArray(recipients ?? [])) issues.push("recipients must be a list");
  for (const [index, recipient] of Array.isArray(recipients) ? recipients.entries() : []) {
    const path = `recipients[${index}]`;
    if (!isRow(recipient)) issues.push(`${path} must be an object`);
    else issues.push(...readMembers(recipient, RECIPIENT_FIELDS, `${path}.`).issues);
  }
  if (issues.length > 0 || typeof scheduleId !== "number") return { issues };
  return { scheduleId, run: run as unknown as ReportRun };
}

/** Checks members; any may be missing or null. Times that are numbers become texts. */
function readMembers(json: Readonly<Row>, fields: Fields, path = "") {
  const row: Row = { ...json };
  const faults: ValidationIssue[] = [];
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = row[name] ?? null;
    if (value === null) continue;
    if (kind === "date-time" && isTime(value)) row[name] = new Date(value).toISOString();
    else row[name] = SHAPES[kind].read(value, path + name, faults);
  }
  for (const [name, value] of Object.entries(row)) {
    const inexact = !Object.hasOwn(fields, name) && name !== "recipients" && inexactIn(value);
    if (inexact) {
      faults.push({ pointer: path + name + inexact.path, detail: "must be within 2^53" });
    }
  }
  return { row, issues: faults.map(({ pointer, detail }) => `${pointer} ${detail}`) };
}

export function recipientIssues(members: Readonly<Row>): readonly string[] {
  return readMembers(members, RECIPIENT_FIELDS).issues;
}

/** What a member of each kind must be. */
export const SHAPES: Readonly<Record<FieldKind, Shape<unknown>>> = {
  string: text(),
  integer: integer(),
  boolean: flag(),
  "date-time": value({}, (json) => {
    if (typeof json !== "string") return "must be a date-time";
    const time = json.trim().replace(" ", "T").replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
    if (time === "") return undefined;
    return readDateTime(/(Z|[+-]\d\d:\d\d)$/i.test(time) ? time : `${time}Z`).issue;
  }),
};

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

const BATCH_ENTRIES = 1000;
/** The most groups of values in a batch, as runs may be long; each is of some 16 KB of NDJSON. */
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
    // At once, so that nothing else is taken for the sample's if the import is interrupted.
    const contents = await store.contents() === "incomplete" ? undefined : "own";
    let isFirst = true;
    let entries: ImportEntry[] = [];
    let groupCount = 0;
    for await (const group of groups) {
      groupCount++;
      for (const value of group) {
        entries.push(...accept(value));
        const isLong = groupCount >= BATCH_GROUPS && entries.length > 0;
        if (entries.length < (options.batch ?? BATCH_ENTRIES) && !isLong) continue;
        if (isFirst) await options.beforeFirst?.();
        isFirst = false;
        yield { ...groupEntries(entries), contents };
        await options.onBatch(counts);
        [entries, groupCount] = [[], 0];
      }
    }
    if (entries.length === 0) return;
    if (isFirst) await options.beforeFirst?.();
    yield { ...groupEntries(entries), contents };
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

interface RowCounts extends ChangedRows {
  readonly read: number;
  readonly rejected: number;
}

export function formatRowCounts({ read, added, changed, rejected }: RowCounts): string {
  const same = read - added - changed - rejected;
  return `${read} read: ${added} new, ${changed} changed, ${same} unchanged, ${rejected} rejected`;
}

/** Reads entries to import. An entry is complete, or it is rejected with every issue. */
import { isRow, type Row } from "../../../lib/client/row_checks.ts";
import {
  type Field,
  type FieldKind,
  FILE_SET_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../../../lib/fields.ts";
import type { Changes } from "../engine.ts";
import type { StoredFileSet, StoredRun } from "../stored_rows.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import { textIssue } from "../text.ts";

export interface ImportValue {
  /** Its position in the file, such as "line 5". */
  readonly location: string;
  readonly value?: unknown;
  readonly issue?: string;
}

export type ImportEntry =
  | { readonly fileSet: StoredFileSet; readonly unknown: readonly string[] }
  | { readonly scheduleId: number; readonly run: StoredRun; readonly unknown: readonly string[] }
  | { readonly issues: readonly string[] };

type Fields = Readonly<Record<string, Field>>;
export const RUN: Fields = { scheduleId: { kind: "integer", mayBeMissing: false }, ...RUN_FIELDS };

const FILE_SET_MEMBERS = Object.keys(FILE_SET_FIELDS);
const FILE_SET_ONLY = FILE_SET_MEMBERS.filter((name) => name !== "id");
const RUN_ONLY = ["scheduleId", "reportId", "startTime"];
const RUN_MEMBERS = [...Object.keys(RUN), "recipients"];

/** Reads an entry. Its members, or else the type of its id, show whether it is a file set or a run. */
export function readEntry(json: unknown, scheduleId?: number): ImportEntry {
  if (!isRow(json)) return { issues: ["is not an object"] };
  const reader = memberReader(json);
  if (typeof json.id !== "number" && typeof json.id !== "string") {
    return { issues: ["id must be a UUID (of a file set) or a whole number (of a run)"] };
  }
  const isRun = RUN_ONLY.some((name) => name in json) ||
    typeof json.id === "number" && !FILE_SET_ONLY.some((name) => name in json);
  return isRun ? readRun(reader, scheduleId) : readFileSet(reader);
}

export function changesOf(entries: readonly ImportEntry[]): Changes {
  return {
    fileSets: entries.flatMap((entry) => "fileSet" in entry ? [entry.fileSet] : []),
    runs: entries.flatMap((entry) => "run" in entry ? [entry] : []),
  };
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function readFileSet(reader: MemberReader): ImportEntry {
  const fileSet = reader.readAll(FILE_SET_FIELDS, "description") as unknown as StoredFileSet;
  if (!UUID.test(fileSet.id)) reader.issues.unshift("id of a file set must be a UUID");
  if (reader.issues.length > 0) return { issues: reader.issues };
  return { fileSet, unknown: reader.unknown(FILE_SET_MEMBERS) };
}

function readRun(reader: MemberReader, optionId: number | undefined): ImportEntry {
  const memberId = reader.has("scheduleId")
    ? reader.read("scheduleId", "integer") as number
    : undefined;
  const scheduleId = memberId ?? optionId;
  if (scheduleId === undefined) {
    reader.issues.push("scheduleId is missing, and there is no --schedule");
  } else if (optionId !== undefined && scheduleId !== optionId) {
    reader.issues.push(`scheduleId is ${scheduleId}, but --schedule is ${optionId}`);
  }
  const run = {
    ...reader.readAll(RUN_FIELDS, "endTime"),
    recipients: reader.readList("recipients", (recipient) => recipient.readAll(RECIPIENT_FIELDS)),
  } as unknown as StoredRun;
  if (reader.issues.length > 0 || scheduleId === undefined) return { issues: reader.issues };
  return { scheduleId, run, unknown: reader.unknown(RUN_MEMBERS) };
}

export function recipientIssues(members: Readonly<Row>): readonly string[] {
  const reader = memberReader(members);
  reader.readAll(RECIPIENT_FIELDS);
  return reader.issues;
}

/** Reads members by name. Null counts as missing. After an issue, ignore the returned value. */
interface MemberReader {
  readonly issues: string[];
  has(name: string): boolean;
  read(name: string, kind: FieldKind): unknown;
  /** The values of all fields; only the `optional` one may be missing. */
  readAll(fields: Fields, optional?: string): Record<string, unknown>;
  readList<T>(name: string, read: (reader: MemberReader) => T): T[];
  unknown(known: readonly string[]): string[];
}

/** The value to store, or what is wrong with the one in the file. */
type ReadValue = { readonly value: unknown } | { readonly issue: string };

const READERS: Readonly<Record<FieldKind, (value: unknown) => ReadValue>> = {
  string(value) {
    if (typeof value !== "string") return { issue: "must be a text" };
    const issue = textIssue(value);
    return issue === undefined ? { value } : { issue };
  },
  integer: (value) =>
    Number.isSafeInteger(value)
      ? { value: (value as number) + 0 } // Not -0.
      : { issue: "must be a whole number within 2^53" },
  boolean: (value) => typeof value === "boolean" ? { value } : { issue: "must be true or false" },
  "date-time"(value) {
    if (typeof value !== "string") return { issue: "must be a date-time" };
    const read = readDateTime(value);
    if (read.issue !== undefined) return { issue: read.issue };
    const text = new Date(read.ms).toISOString();
    return text.length === 24 ? { value: text } : { issue: "must be within the years 0 to 9999" };
  },
};

/** Reads the members of an object; `path` is its path within the entry. */
function memberReader(
  members: Readonly<Row>,
  path = "",
  issues: string[] = [],
): MemberReader {
  const has = (name: string) => members[name] !== undefined && members[name] !== null;
  const report = (name: string, issue: string) =>
    void issues.push(`${path}${name} ${has(name) ? issue : "is missing"}`);
  const read = (name: string, kind: FieldKind) => {
    const result = READERS[kind](members[name]);
    if ("value" in result) return result.value;
    report(name, result.issue);
  };
  return {
    issues,
    has,
    read,
    readAll(fields, optional) {
      const values: Record<string, unknown> = {};
      for (const name in fields) {
        if (name !== optional || has(name)) values[name] = read(name, fields[name].kind);
      }
      return values;
    },
    readList<T>(name: string, readItem: (reader: MemberReader) => T): T[] {
      const value = members[name];
      if (!Array.isArray(value)) {
        report(name, "must be a list");
        return [];
      }
      return value.map((item, index) => {
        if (!isRow(item)) issues.push(`${path}${name}[${index}] must be an object`);
        return readItem(memberReader(isRow(item) ? item : {}, `${path}${name}[${index}].`, issues));
      });
    },
    unknown: (known) => Object.keys(members).filter((name) => !known.includes(name)),
  };
}

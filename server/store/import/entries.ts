/** Reads one entry to import: it is complete, or it is rejected with every issue. */
import { isRow } from "../../../lib/client/row_checks.ts";
import {
  FILE_SET_FIELDS,
  fileSetColumns,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
  runColumns,
} from "../../../lib/fields.ts";
import type { Changes } from "../engine.ts";
import type { StoredFileSet, StoredRun } from "../stored_rows.ts";
import { type MemberReader, memberReader } from "./members.ts";

/** A value of a file. */
export interface ImportValue {
  /** Where it is, such as "line 5". */
  readonly place: string;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly issue?: string;
}

export type ImportEntry =
  | { readonly fileSet: StoredFileSet; readonly unknown: readonly string[] }
  | { readonly scheduleId: number; readonly run: StoredRun; readonly unknown: readonly string[] }
  | { readonly issues: readonly string[] };

const FILE_SET_MEMBERS: readonly string[] = fileSetColumns();

const FILE_SET_ONLY = fileSetColumns().filter((name) => name !== "id");
const RUN_ONLY = ["scheduleId", "reportId", "startTime"];
const RUN_MEMBERS = [...runColumns(), "recipients", "scheduleId"];

/** Reads an entry: its members show whether it is a file set or a run, or else its id does. */
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
  if (!UUID.test(fileSet.id)) reader.issues.unshift("id must be a UUID");
  if (reader.issues.length > 0) return { issues: reader.issues };
  return { fileSet, unknown: reader.unknown(FILE_SET_MEMBERS) };
}

function readRun(reader: MemberReader, givenId: number | undefined): ImportEntry {
  const ownId = reader.has("scheduleId")
    ? reader.read("scheduleId", "integer") as number
    : undefined;
  const scheduleId = ownId ?? givenId;
  if (scheduleId === undefined) {
    reader.issues.push("scheduleId is missing, and no --schedule was given");
  } else if (givenId !== undefined && scheduleId !== givenId) {
    reader.issues.push(`scheduleId is ${scheduleId}, but --schedule is ${givenId}`);
  }
  const run = {
    ...reader.readAll(RUN_FIELDS, "endTime"),
    recipients: reader.readList("recipients", (recipient) => recipient.readAll(RECIPIENT_FIELDS)),
  } as unknown as StoredRun;
  if (reader.issues.length > 0 || scheduleId === undefined) return { issues: reader.issues };
  return { scheduleId, run, unknown: reader.unknown(RUN_MEMBERS) };
}

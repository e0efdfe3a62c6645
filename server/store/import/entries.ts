/** Reads entries to import. An entry is complete, or it is rejected with every issue. */
import { inexactIn, isRow, isTime, type Row } from "../../../lib/client/row_checks.ts";
import {
  type Field,
  type FieldKind,
  FILE_SET_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../../../lib/fields.ts";
import type { Changes } from "../changes.ts";
import type { FileSet, ReportRun } from "../../../lib/types.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import type { ValidationIssue } from "../../http/problem.ts";
import { flag, integer, type Shape, text, value } from "../../http/shape.ts";

export interface ImportValue {
  /** Its position in the file, such as "line 5". */
  readonly location: string;
  readonly value?: unknown;
  readonly issue?: string;
}

export type ImportEntry =
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

export function groupEntries(entries: readonly ImportEntry[]): Changes {
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

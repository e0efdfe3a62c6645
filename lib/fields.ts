/** The fields of the interface, with their kinds: all code that lists fields uses these tables. */
import type { FileSet, FileSetField, PageContext, Recipient, ReportRun } from "./types.ts";

export type FieldKind = "string" | "date-time" | "integer" | "boolean";

export interface Field {
  readonly kind: FieldKind;
  /** Whether it may be missing or null. */
  readonly mayBeMissing: boolean;
}

/** The fields of a type, by name and in the interface's order. */
type FieldsOf<Row> = Readonly<Record<keyof Row, Field>>;

export const FILE_SET_FIELDS: FieldsOf<FileSet> = {
  id: { kind: "string", mayBeMissing: false },
  name: { kind: "string", mayBeMissing: true },
  description: { kind: "string", mayBeMissing: true },
  created: { kind: "date-time", mayBeMissing: true },
  createdBy: { kind: "integer", mayBeMissing: true },
  updated: { kind: "date-time", mayBeMissing: true },
  updatedBy: { kind: "integer", mayBeMissing: true },
  owner: { kind: "string", mayBeMissing: true },
  permission: { kind: "string", mayBeMissing: true },
  fileCount: { kind: "integer", mayBeMissing: true },
};

export const PAGE_CONTEXT_FIELDS: FieldsOf<PageContext> = {
  next: { kind: "string", mayBeMissing: true },
  offset: { kind: "integer", mayBeMissing: true },
  limit: { kind: "integer", mayBeMissing: true },
  total: { kind: "integer", mayBeMissing: true },
};

export const RUN_FIELDS: FieldsOf<Omit<ReportRun, "recipients">> = {
  id: { kind: "integer", mayBeMissing: false },
  reportId: { kind: "integer", mayBeMissing: true },
  reportTitle: { kind: "string", mayBeMissing: true },
  reportSubject: { kind: "string", mayBeMissing: true },
  startTime: { kind: "date-time", mayBeMissing: true },
  endTime: { kind: "date-time", mayBeMissing: true },
  automated: { kind: "boolean", mayBeMissing: true },
  cardCount: { kind: "integer", mayBeMissing: true },
  attachmentCount: { kind: "integer", mayBeMissing: true },
  attachmentSize: { kind: "integer", mayBeMissing: true },
  emailSize: { kind: "integer", mayBeMissing: true },
  status: { kind: "string", mayBeMissing: true },
  ownerId: { kind: "integer", mayBeMissing: true },
  recipientCount: { kind: "integer", mayBeMissing: true },
  resourceType: { kind: "string", mayBeMissing: true },
  resourceId: { kind: "integer", mayBeMissing: true },
  resourceName: { kind: "string", mayBeMissing: true },
};

export const RECIPIENT_FIELDS: FieldsOf<Recipient> = {
  userId: { kind: "integer", mayBeMissing: true },
  displayName: { kind: "string", mayBeMissing: true },
  emailAddress: { kind: "string", mayBeMissing: true },
};

/** The operators that Docket knows, starting with the one that the interface documents. */
export const OPERATORS = [
  "EQUALS",
  "LIKE",
  "IN",
  "IS_NULL",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL",
] as const;

export type KnownOperator = typeof OPERATORS[number];

/** The sort orders that Docket knows, starting with the one that the interface documents. */
export const ORDERS = ["ASC", "DESC"] as const;

export type KnownOrder = typeof ORDERS[number];

export function fileSetColumns(): FileSetField[] {
  return Object.keys(FILE_SET_FIELDS) as FileSetField[];
}

/** The columns of an export of runs: all of their fields except `recipients`. */
export function runColumns(): string[] {
  return Object.keys(RUN_FIELDS);
}

/** The columns of an export with a row for each recipient: some of the run's, then theirs. */
export function recipientColumns(): string[] {
  return ["id", "startTime", "status", ...Object.keys(RECIPIENT_FIELDS)];
}

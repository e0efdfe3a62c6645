/** File sets and runs as they are stored: as JSON, with columns for searching and sorting. */
import { FILE_SET_FIELDS, RECIPIENT_FIELDS, RUN_FIELDS } from "../../lib/fields.ts";
import type { FileSet, Recipient, ReportRun } from "../../lib/types.ts";
import { FIELDS, type StoredField } from "./fields.ts";
import type { Value } from "./search/plan.ts";
import { foldCase } from "../../lib/search/compare_values.ts";
import { comparedText } from "./text.ts";

type WithoutNulls<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };

/** A file set with all its fields; only `description` may be missing. */
export type StoredFileSet =
  & WithoutNulls<Omit<FileSet, "description">>
  & { readonly description?: string };

/** A run with all its fields; only `endTime` may be missing. */
export type StoredRun =
  & WithoutNulls<Omit<ReportRun, "endTime" | "recipients">>
  & { readonly endTime?: string; readonly recipients: readonly WithoutNulls<Recipient>[] };

/** A row as an engine returns it: its values, in the order of the selected columns. */
export type SqlRow = readonly unknown[];

const FOLDED = FIELDS.filter((field) => field.hasTrigrams);

export const FILE_SET_COLUMNS: readonly {
  readonly name: string;
  readonly type: "TEXT" | "BIGINT";
  readonly nullable: boolean;
}[] = [
  ...FIELDS.map(({ column, kind, nullable }) => ({
    name: column,
    type: kind === "string" ? "TEXT" as const : "BIGINT" as const,
    nullable,
  })),
  ...FOLDED.map(({ folded, nullable }) => ({ name: folded!, type: "TEXT" as const, nullable })),
  { name: "json", type: "TEXT", nullable: false },
];

export function fileSetValues(fileSet: StoredFileSet): (Value | null)[] {
  const folded = FOLDED.map(({ name }) => {
    const text = fileSet[name];
    return text === undefined ? null : foldCase(String(text));
  });
  return [
    ...FIELDS.map((field) => storedValue(fileSet, field)),
    ...folded,
    JSON.stringify(pick(fileSet, FILE_SET_FIELDS)),
  ];
}

function storedValue(fileSet: FileSet, { name, kind }: StoredField): Value | null {
  const value = fileSet[name] ?? null;
  if (kind === "date-time") return Date.parse(String(value));
  return typeof value === "string" ? comparedText(value) : value;
}

export function storedRun(run: StoredRun): ReportRun {
  return {
    ...pick(run, RUN_FIELDS),
    recipients: run.recipients.map((recipient) => pick(recipient, RECIPIENT_FIELDS)),
  } as unknown as ReportRun;
}

function pick(row: object, fields: object): Record<string, unknown> {
  const values = row as Record<string, unknown>;
  const picked: Record<string, unknown> = {};
  for (const name in fields) picked[name] = values[name];
  return picked;
}

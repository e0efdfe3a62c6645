/** File sets and runs as they are stored: as JSON, with columns for searching and sorting. */
import { timeOf } from "../../lib/runs/times.ts";
import type { FileSet } from "../../lib/types.ts";
import { FIELDS, type StoredField } from "./fields.ts";
import type { Value } from "./search/plan.ts";
import { foldCase } from "../../lib/search/compare_values.ts";
import { comparedText } from "./text.ts";

/** A row as an engine returns it: its values, in the order of the selected columns. */
export type SqlRow = readonly unknown[];

const FOLDED = FIELDS.filter((field) => field.hasTrigrams);

export const FILE_SET_COLUMNS: readonly {
  readonly name: string;
  readonly type: "TEXT" | "BIGINT";
}[] = [
  ...FIELDS.map(({ column, kind }) => ({
    name: column,
    type: kind === "string" ? "TEXT" as const : "BIGINT" as const,
  })),
  ...FOLDED.map(({ folded }) => ({ name: folded!, type: "TEXT" as const })),
  { name: "json", type: "TEXT" },
];

export function fileSetValues(fileSet: FileSet): (Value | null)[] {
  const folded = FOLDED.map(({ name }) => {
    const text = fileSet[name];
    return text == null ? null : foldCase(String(text));
  });
  return [
    ...FIELDS.map((field) => storedValue(fileSet, field)),
    ...folded,
    JSON.stringify(fileSet),
  ];
}

function storedValue(fileSet: FileSet, { name, kind }: StoredField): Value | null {
  const value = fileSet[name] ?? null;
  if (kind === "date-time") return timeOf(value as string | null) ?? null;
  return typeof value === "string" ? comparedText(value) : value;
}

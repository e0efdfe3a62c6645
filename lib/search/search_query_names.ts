/** What fields and comparisons are called in one-line queries. */
import { FILE_SET_FIELDS } from "../fields.ts";
import type { FileSetField } from "../types.ts";

/** Names of fields in queries that differ from the interface's. */
const QUERY_NAMES: Readonly<Partial<Record<FileSetField, string>>> = {
  fileCount: "files",
  createdBy: "created-by",
  updatedBy: "updated-by",
};

/** The pseudo-operator of a date condition on a field that is not known to hold dates. */
export const DATE_OPERATOR = "DATE";

/** The signs of comparisons. The longer ones are first: they begin with the others. */
export const COMPARISON_SIGNS: Readonly<Record<string, string>> = {
  GREATER_THAN_OR_EQUAL: ">=",
  LESS_THAN_OR_EQUAL: "<=",
  GREATER_THAN: ">",
  LESS_THAN: "<",
};

/** The field that a name in a query stands for, in any case; undefined if there is none. */
export function queryField(name: string): FileSetField | undefined {
  const wanted = name.toLowerCase();
  return (Object.keys(FILE_SET_FIELDS) as FileSetField[])
    .find((field) => field.toLowerCase() === wanted || QUERY_NAMES[field] === wanted);
}

/** The name of a field in queries, such as `files` for `fileCount`. */
export function queryName(field: string): string {
  return QUERY_NAMES[field as FileSetField] ?? field;
}

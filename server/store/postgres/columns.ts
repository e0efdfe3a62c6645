/** The columns that PostgreSQL sorts by. */
import type { StoredField } from "../fields.ts";

/** How many characters of a text are in its index. */
export const START_LENGTH = 500;

/** Whether a field is sorted by the start of its text: ids are short, and no others are sure to be. */
export function hasStart(field: StoredField): boolean {
  return field.kind === "string" && field.name !== "id";
}

/** The indexed column of a field. */
export function startColumn(field: StoredField): string {
  return hasStart(field) ? `${field.column}_start` : field.column;
}

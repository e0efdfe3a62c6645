/** The columns that PostgreSQL sorts by. */
import type { StoredField } from "../fields.ts";

/** How many characters of a text are in its index. */
export const START_LENGTH = 500;

/** Whether the start of a field's text is indexed. Ids are always short; other texts may be long. */
export function hasStart(field: StoredField): boolean {
  return field.kind === "string" && field.name !== "id";
}

/** The indexed column of a field. */
export function startColumn(field: StoredField): string {
  return hasStart(field) ? `${field.column}_start` : field.column;
}

import { type FieldKind, FILE_SET_FIELDS } from "../fields.ts";
import type { FileSetField } from "../types.ts";

/** The kind of a file set's field; undefined if no field has that name. */
export function fieldKind(name: string): FieldKind | undefined {
  return Object.hasOwn(FILE_SET_FIELDS, name)
    ? FILE_SET_FIELDS[name as FileSetField].kind
    : undefined;
}

/** The fields of a file set and their columns: the only names of a search that ever reach SQL. */
import { type FieldKind, FILE_SET_FIELDS, fileSetColumns } from "../../../lib/fields.ts";
import type { FileSetField } from "../../../lib/types.ts";

export interface StoredField {
  readonly name: FileSetField;
  readonly column: string;
  /** Date-times are stored as milliseconds since 1970. */
  readonly kind: FieldKind;
  /** The column with the same text in folded case; strings only. */
  readonly folded: string | null;
  /** Trigrams of random ids would need too much space. */
  readonly hasTrigrams: boolean;
  /** The permission has few values: then reading all rows is faster. */
  readonly hasIndex: boolean;
}

/** Every field, in the interface's order. */
export const FIELDS: readonly StoredField[] = fileSetColumns().map((name) => {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { kind } = FILE_SET_FIELDS[name];
  return {
    name,
    column,
    kind,
    folded: kind === "string" ? `${column}_folded` : null,
    hasTrigrams: kind === "string" && name !== "id",
    hasIndex: name !== "id" && name !== "permission",
  };
});

export const ID = FIELDS.find(({ name }) => name === "id")!;

/** The fields of a file set and their columns: the only identifiers that ever reach SQL. */
import { type FieldKind, FILE_SET_FIELDS, fileSetColumns } from "../../lib/fields.ts";
import type { FileSetField } from "../../lib/types.ts";

export interface StoredField {
  readonly name: FileSetField;
  readonly column: string;
  /** Date-times are stored as milliseconds since 1970. */
  readonly kind: FieldKind;
  readonly nullable: boolean;
  /** The SQL expression to search when case is ignored; strings only. */
  readonly folded?: string;
  readonly hasTrigrams: boolean;
}

/** Every field, in the interface's order. Trigrams of random ids would need too much space. */
export const FIELDS: readonly StoredField[] = fileSetColumns().map((name) => {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { kind } = FILE_SET_FIELDS[name];
  const hasTrigrams = kind === "string" && name !== "id";
  return {
    name,
    column,
    kind,
    nullable: name !== "id",
    hasTrigrams,
    ...(kind === "string" ? { folded: hasTrigrams ? `${column}_folded` : "lower(id)" } : {}),
  };
});

/** The indexes for sorting; two per field, because ties are always in ascending order of id. */
export const FILE_SET_INDEXES: readonly {
  readonly name: string;
  readonly field: StoredField;
  readonly descending: boolean;
}[] = FIELDS
  .filter((field) => field.name !== "id")
  .flatMap((field) => [
    { name: `file_sets_by_${field.column}`, field, descending: false },
    { name: `file_sets_by_${field.column}_desc`, field, descending: true },
  ]);

const BY_NAME = new Map<string, StoredField>(FIELDS.map((field) => [field.name, field]));

export function fieldNamed(name: string): StoredField | undefined {
  return BY_NAME.get(name);
}

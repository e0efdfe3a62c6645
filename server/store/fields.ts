/**
 * The fields of a file set and their columns: the only identifiers that ever reach SQL.
 *
 * @module
 */

import type { FileSetField } from "../../lib/types.ts";

/** How a field's values are compared and kept. Dates are milliseconds since 1970 in the database. */
export type FieldKind = "text" | "integer" | "date";

/** One field of a file set. */
export interface Field {
  /** Name in the interface. */
  readonly name: FileSetField;
  /** Name in the database. */
  readonly column: string;
  /** How its values are compared. */
  readonly kind: FieldKind;
  /** Whether a row may be without a value. */
  readonly nullable: boolean;
  /** What to search in when case makes no difference; text fields only. */
  readonly folded?: string;
}

/** Every field, in the order of the interface. Ids are ASCII, so the engines may fold them. */
export const FIELDS: readonly Field[] = [
  { name: "id", column: "id", kind: "text", nullable: false, folded: "lower(id)" },
  { name: "name", column: "name", kind: "text", nullable: false, folded: "name_folded" },
  {
    name: "description",
    column: "description",
    kind: "text",
    nullable: true,
    folded: "description_folded",
  },
  { name: "created", column: "created", kind: "date", nullable: false },
  { name: "createdBy", column: "created_by", kind: "integer", nullable: false },
  { name: "updated", column: "updated", kind: "date", nullable: false },
  { name: "updatedBy", column: "updated_by", kind: "integer", nullable: false },
  { name: "owner", column: "owner", kind: "text", nullable: false, folded: "owner_folded" },
  {
    name: "permission",
    column: "permission",
    kind: "text",
    nullable: false,
    folded: "permission_folded",
  },
  { name: "fileCount", column: "file_count", kind: "integer", nullable: false },
];

const BY_NAME = new Map<string, Field>(FIELDS.map((field) => [field.name, field]));

/** The field of that name, if there is one. */
export function fieldNamed(name: string): Field | undefined {
  return BY_NAME.get(name);
}

/** The names of all fields of some kinds, for messages. */
export function fieldNames(...kinds: FieldKind[]): string {
  return FIELDS.filter((field) => kinds.length === 0 || kinds.includes(field.kind))
    .map((field) => field.name).join(", ");
}

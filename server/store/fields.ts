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
  /** Whether many rows share a value, so that a further sort key has much to sort. */
  readonly hasManyTies: boolean;
  /** What to search in when case makes no difference; text fields only. */
  readonly folded?: string;
  /** Whether the folded text is also kept in three-letter pieces, for quick searches. */
  readonly hasTrigrams: boolean;
}

function field(
  name: FileSetField,
  column: string,
  kind: FieldKind,
  more: Partial<Field> = {},
): Field {
  return { name, column, kind, nullable: false, hasManyTies: false, hasTrigrams: false, ...more };
}

/**
 * Every field, in the order of the interface. Ids are ASCII, so the engines may fold them; they have
 * no pieces, which for random letters would be larger than everything else together.
 */
export const FIELDS: readonly Field[] = [
  field("id", "id", "text", { folded: "lower(id)" }),
  field("name", "name", "text", { folded: "name_folded", hasTrigrams: true }),
  field("description", "description", "text", {
    nullable: true,
    hasManyTies: true,
    folded: "description_folded",
    hasTrigrams: true,
  }),
  field("created", "created", "date"),
  field("createdBy", "created_by", "integer", { hasManyTies: true }),
  field("updated", "updated", "date"),
  field("updatedBy", "updated_by", "integer", { hasManyTies: true }),
  field("owner", "owner", "text", { hasManyTies: true, folded: "owner_folded", hasTrigrams: true }),
  field("permission", "permission", "text", {
    hasManyTies: true,
    folded: "permission_folded",
    hasTrigrams: true,
  }),
  field("fileCount", "file_count", "integer", { hasManyTies: true }),
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

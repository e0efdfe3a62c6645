/** The conditions and sort keys of a search as SQL; the caller's texts are in it as values only. */
import {
  type FieldKind,
  FILE_SET_FIELDS,
  fileSetColumns,
  type KnownOperator,
} from "../../../lib/fields.ts";
import type { FileSetField } from "../../../lib/types.ts";
import { compareValues, foldCase } from "../../../lib/search/match_rows.ts";
import { all, any, ids, join, name, perSystem, type Sql, sql, texts } from "../database/sql.ts";

export interface StoredField {
  readonly name: FileSetField;
  readonly column: string;
  /** Date-times are stored as milliseconds since 1970. */
  readonly kind: FieldKind;
  /** The column with the same text in folded case; strings only. */
  readonly folded: string | null;
  /** Trigrams of random ids would need too much space. */
  readonly hasTrigrams: boolean;
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
  };
});

/** The columns with trigrams. */
export const TRIGRAMS = FIELDS.flatMap(({ folded, hasTrigrams }) =>
  hasTrigrams ? name(folded!) : []
);

export const ID = FIELDS.find(({ name }) => name === "id")!;

type Value = string | number;

export interface SortKey {
  readonly field: StoredField;
  readonly isDescending: boolean;
}

type WriteCondition = (field: StoredField, values: readonly Value[]) => Sql;

/** How each operator is written: it holds for a row if it does for any of the values. */
export const CONDITIONS: Readonly<Record<KnownOperator, WriteCondition>> = {
  EQUALS: isOneOf,
  IN: isOneOf,
  LIKE: (field, values) => contains(field, values.map((value) => foldCase(String(value)))),
  IS_NULL: ({ column }) => sql`${name(column)} IS NULL`,
  GREATER_THAN: comparison(sql`>`, 0),
  GREATER_THAN_OR_EQUAL: comparison(sql`>=`, 0),
  LESS_THAN: comparison(sql`<`, -1),
  LESS_THAN_OR_EQUAL: comparison(sql`<=`, -1),
};

/** What is greater than any of some values is greater than the least, at 0; what is less, at -1. */
function comparison(operator: Sql, at: 0 | -1): WriteCondition {
  return ({ column }, values) => {
    const bound = values.toSorted(compareValues).at(at);
    return bound === undefined ? sql`FALSE` : sql`${name(column)} ${operator} ${bound}`;
  };
}

export function isOneOf({ column, kind }: StoredField, values: readonly Value[]): Sql {
  const all = kind === "string" ? texts(values as string[]) : ids(values as number[]);
  return sql`${name(column)} IN ${all}`;
}

export function isInRange({ column }: StoredField, start?: number, end?: number): Sql {
  return all([
    ...start === undefined ? [] : [sql`${name(column)} >= ${start}`],
    ...end === undefined ? [] : [sql`${name(column)} < ${end}`],
  ]);
}

export function hasTrigram(folded: string): boolean {
  return /^.{3}/su.test(folded);
}

function contains({ folded, hasTrigrams }: StoredField, texts: readonly string[]): Sql {
  const column = name(folded!);
  const position = perSystem({ sqlite: sql`instr`, postgresql: sql`strpos` });
  if (!hasTrigrams || !texts.every(hasTrigram)) {
    return any(texts.map((text) => sql`${position}(${column}, ${text}) > 0`));
  }
  // A phrase is a text's trigrams, one after the other.
  const phrases = texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(" OR ");
  return perSystem({
    sqlite: sql`key IN (SELECT rowid FROM file_set_trigrams
      WHERE file_set_trigrams MATCH ${`{${folded}} : (${phrases})`})`,
    postgresql: any(
      texts.map((text) => sql`${column} LIKE ${`%${text.replace(/[\\%_]/g, "\\$&")}%`}`),
    ),
  });
}

/** Not `NOT`, because a negated condition also matches rows without a value. */
export function negate(condition: Sql): Sql {
  return sql`(${condition}) IS NOT TRUE`;
}

/** Rows without a value come before all others; ties are in ascending order of id. */
export function orderBy(keys: readonly SortKey[]): Sql {
  const withTies = [...keys, { field: ID, isDescending: false }];
  return join(
    withTies.map(({ field: { column }, isDescending }) =>
      sql`${name(column)} ${isDescending ? sql`DESC NULLS LAST` : sql`NULLS FIRST`}`
    ),
    ", ",
  );
}

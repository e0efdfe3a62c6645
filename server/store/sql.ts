/** Statements as texts, until their rooms move to `database/sql.ts`. */

type Value = string | number;

/** A piece of SQL with a `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (Value | null)[];
}

/** A `?` for each value, as in `IN (?, ?)`; for none `NULL`, as PostgreSQL accepts no empty list. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ") || "NULL";
}

/** The condition on a value; none if the value is undefined. */
export function optionalCondition(text: string, value: Value | undefined): Sql[] {
  return value === undefined ? [] : [{ text, values: [value] }];
}

/** The condition that a column has one of these ids. They are not bound: databases limit bound values. */
export function amongIds(column: string, ids: readonly number[]): string {
  return `${column} IN (${ids.map(Number).join(", ") || "-1"})`;
}

export function whereAll(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: "", values: [] };
  return {
    text: `WHERE ${conditions.map((part) => part.text).join(" AND ")}`,
    values: conditions.flatMap((part) => part.values),
  };
}

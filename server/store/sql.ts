/**
 * From a plan to SQL that both engines read alike. Columns come from the fixed list of fields, and
 * everything else is a bound value.
 *
 * @module
 */

import type { Condition, DateRange, SearchPlan, SortKey, Value } from "./check.ts";
import { type Field, FIELDS } from "./fields.ts";
import { foldCase } from "./text.ts";

/** A piece of SQL with `?` where its values belong. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

/** What the engines write differently. */
export interface Dialect {
  /** Whether a text column contains one value, given in folded case. */
  contains(field: Field): string;
}

/** Everything the plan's conditions ask for, as `WHERE …`, or nothing. */
export function where(plan: Pick<SearchPlan, "conditions" | "dateRanges">, dialect: Dialect): Sql {
  const parts = [
    ...plan.conditions.map((condition) => negatable(condition.not, compare(condition, dialect))),
    ...plan.dateRanges.map((range) => negatable(range.not, within(range))),
  ];
  if (parts.length === 0) return { text: "", values: [] };
  return {
    text: `WHERE ${parts.map((part) => part.text).join(" AND ")}`,
    values: parts.flatMap((part) => part.values),
  };
}

/**
 * The order of a search. Rows without a value come first ascending and last descending; rows that
 * are equal in every key are in ascending order of id, whatever the direction of the keys.
 */
export function orderBy(sort: readonly SortKey[]): string {
  const keys: string[] = [];
  const seen = new Set<Field>();
  for (const { field, descending } of sort) {
    if (seen.has(field)) continue; // A later key on the same field can't decide anything.
    seen.add(field);
    const direction = descending ? " DESC" : "";
    const nulls = field.nullable ? (descending ? " NULLS LAST" : " NULLS FIRST") : "";
    keys.push(`${field.column}${direction}${nulls}`);
    if (field.name === "id") return `ORDER BY ${keys.join(", ")}`;
  }
  return `ORDER BY ${[...keys, "id"].join(", ")}`;
}

/** The columns of a file set, in the order of the interface. */
export const FILE_SET_COLUMNS = FIELDS.map((field) => field.column).join(", ");

/** How many file sets match. */
export function countFileSets(plan: SearchPlan, dialect: Dialect): Sql {
  const matching = where(plan, dialect);
  return {
    text: `SELECT count(*) AS total FROM file_sets ${matching.text}`,
    values: matching.values,
  };
}

/** One page. Which rows is found out first, in the order's index; only those rows are read. */
export function pageOfFileSets(plan: SearchPlan, dialect: Dialect): Sql {
  const matching = where(plan, dialect);
  const order = orderBy(plan.sort);
  return {
    text: `SELECT ${FILE_SET_COLUMNS} FROM file_sets JOIN ` +
      `(SELECT key FROM file_sets ${matching.text} ${order} LIMIT ? OFFSET ?) AS page USING (key) ` +
      order,
    values: [...matching.values, plan.limit, plan.offset],
  };
}

function negatable(not: boolean, part: Sql): Sql {
  // IS NOT TRUE rather than NOT: a negated condition keeps rows without a value.
  return not ? { text: `(${part.text}) IS NOT TRUE`, values: part.values } : part;
}

function compare(condition: Condition, dialect: Dialect): Sql {
  const { field, comparison, values } = condition;
  switch (comparison) {
    case "missing":
      return { text: `${field.column} IS NULL`, values: [] };
    case "=":
      return { text: `${field.column} IN (${values.map(() => "?").join(", ")})`, values };
    case "contains":
      return {
        text: `(${values.map(() => dialect.contains(field)).join(" OR ")})`,
        values: values.map((value) => foldCase(String(value))),
      };
    default:
      return {
        text: `(${values.map(() => `${field.column} ${comparison} ?`).join(" OR ")})`,
        values,
      };
  }
}

function within({ field, start, end }: DateRange): Sql {
  const bounds: Sql[] = [];
  if (start !== undefined) bounds.push({ text: `${field.column} >= ?`, values: [start] });
  if (end !== undefined) bounds.push({ text: `${field.column} < ?`, values: [end] });
  return {
    text: `(${bounds.map((bound) => bound.text).join(" AND ")})`,
    values: bounds.flatMap((bound) => bound.values),
  };
}

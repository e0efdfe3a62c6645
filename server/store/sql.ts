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

/** How many rows there are to choose a way by. */
export interface Counts {
  /** Rows that match the search. */
  readonly matching: number;
  /** All rows. */
  readonly all: number;
}

/** What the engines write differently. */
export interface Dialect {
  /** How many file sets match. */
  count(plan: SearchPlan): Sql;
  /** One page of the file sets that match, in order. */
  page(plan: SearchPlan, counts: Counts): Sql;
}

/** How an engine writes the parts of a condition. */
export interface ConditionWriter {
  /** A column that is compared. */
  column(field: Field): string;
  /** Whether a text field contains one of several values, given in folded case. */
  contains(field: Field, values: readonly string[]): Sql;
}

/** The conditions of a search, as `WHERE …`, or nothing. */
export function where(
  plan: Pick<SearchPlan, "conditions" | "dateRanges">,
  writer: ConditionWriter,
): Sql {
  const parts = [
    ...plan.conditions.map((condition) => negatable(condition.not, compare(condition, writer))),
    ...plan.dateRanges.map((range) => negatable(range.not, within(range, writer))),
  ];
  if (parts.length === 0) return { text: "", values: [] };
  const { text, values } = joined(" AND ", parts);
  return { text: `WHERE ${text}`, values };
}

/**
 * The order of a search. Rows without a value come first ascending and last descending; rows that
 * are equal in every key are in ascending order of id, whatever the direction of the keys.
 */
export function orderBy(sort: readonly SortKey[]): string {
  const keys = decidingKeys(sort);
  const isById = keys.at(-1)?.field.name === "id";
  return `ORDER BY ${[...keys.map(sortKey), ...(isById ? [] : ["id"])].join(", ")}`;
}

/** The sort keys that can decide anything: the first on each field, and none after the id. */
export function decidingKeys(sort: readonly SortKey[]): readonly SortKey[] {
  const first = sort.filter((key, index) =>
    sort.findIndex((other) => other.field === key.field) === index
  );
  const id = first.findIndex((key) => key.field.name === "id");
  return id < 0 ? first : first.slice(0, id + 1);
}

/** One column in an order. */
export function sortKey({ field, descending }: SortKey): string {
  const nulls = field.nullable ? (descending ? " NULLS LAST" : " NULLS FIRST") : "";
  return `${field.column}${descending ? " DESC" : ""}${nulls}`;
}

/** The columns of a file set, in the order of the interface. */
export const FILE_SET_COLUMNS = FIELDS.map((field) => field.column).join(", ");

/** Several pieces of SQL as one. */
export function joined(separator: string, parts: readonly Sql[]): Sql {
  return {
    text: parts.map((part) => part.text).join(separator),
    values: parts.flatMap((part) => part.values),
  };
}

/** Whether any of several conditions holds. Halved again and again: engines bound the nesting. */
export function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 1) return conditions[0];
  const half = Math.ceil(conditions.length / 2);
  return `(${anyOf(conditions.slice(0, half))} OR ${anyOf(conditions.slice(half))})`;
}

function negatable(not: boolean, part: Sql): Sql {
  // IS NOT TRUE rather than NOT: a negated condition keeps rows without a value.
  return not ? { text: `(${part.text}) IS NOT TRUE`, values: part.values } : part;
}

function compare({ field, comparison, values }: Condition, writer: ConditionWriter): Sql {
  const column = writer.column(field);
  switch (comparison) {
    case "missing":
      return { text: `${column} IS NULL`, values: [] };
    case "=":
      return { text: `${column} IN (${values.map(() => "?").join(", ")})`, values };
    case "contains":
      return writer.contains(field, values.map((value) => foldCase(String(value))));
    default:
      return { text: `${column} ${comparison} ?`, values };
  }
}

function within({ field, start, end }: DateRange, writer: ConditionWriter): Sql {
  const column = writer.column(field);
  const bounds: Sql[] = [];
  if (start !== undefined) bounds.push({ text: `${column} >= ?`, values: [start] });
  if (end !== undefined) bounds.push({ text: `${column} < ?`, values: [end] });
  const { text, values } = joined(" AND ", bounds);
  return { text: `(${text})`, values };
}

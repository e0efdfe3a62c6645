/** Writes searches as SQL for both engines. Columns are from a fixed list; all else is bound values. */
import type { ColumnCondition, ColumnRange, SearchPlan, SortKey, Value } from "./search/plan.ts";
import type { StoredField } from "./fields.ts";
import { foldCase } from "../../lib/search/compare_values.ts";
import { comparedText } from "./text.ts";

/** A piece of SQL with a `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (Value | null)[];
}

/** A `?` for each value, as in `IN (?, ?)`; for none `NULL`, as PostgreSQL accepts no empty list. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ") || "NULL";
}

export interface Counts {
  readonly matching: number;
  readonly all: number;
}

export interface ConditionWriter {
  column(field: StoredField): string;
  /** The condition that a text field contains one of several values, which are in folded case. */
  contains(field: StoredField, values: readonly string[]): Sql;
}

export function where(
  plan: Pick<SearchPlan, "conditions" | "dateRanges">,
  writer: ConditionWriter,
): Sql {
  const parts = [
    ...plan.conditions.map((condition) => negatable(condition.not, compare(condition, writer))),
    ...plan.dateRanges.map((range) => negatable(range.not, within(range, writer))),
  ];
  return whereAll(parts);
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
  const { text, values } = joined(" AND ", conditions);
  return { text: `WHERE ${text}`, values };
}

/** Counts the matching file sets: those with each value of a field, or those that meet each condition. */
export type Tally =
  & Pick<SearchPlan, "conditions" | "dateRanges">
  & (
    | { readonly by: StoredField; readonly max: number }
    | { readonly each: readonly (ColumnCondition | ColumnRange)[] }
  );

/** By values: rows with the value, its count and the total. By conditions: one row of counts. */
export function tallyStatement(
  tally: Tally,
  matching: Sql,
  writer: ConditionWriter,
  groupBy: (column: string) => string = (column) => column,
): Sql {
  const from = `FROM file_sets ${matching.text}`;
  if ("by" in tally) {
    const { column } = tally.by;
    return {
      text:
        `SELECT ${column}, count(*) AS counted, CAST(sum(count(*)) OVER () AS BIGINT) ${from} ` +
        `GROUP BY ${groupBy(column)} ORDER BY counted DESC, ${column} LIMIT ?`,
      values: [...matching.values, tally.max],
    };
  }
  const counts = tally.each.map((condition) =>
    "comparison" in condition ? compare(condition, writer) : within(condition, writer)
  );
  return {
    text: `SELECT ${
      counts.map(({ text }) => `count(CASE WHEN ${text} THEN 1 END)`).join(", ")
    } ${from}`,
    values: [...counts.flatMap(({ values }) => values), ...matching.values],
  };
}

/** Rows without a value sort below all others; ties are in ascending order of id. */
export function orderBy(sort: readonly SortKey[]): string {
  const keys = decidingKeys(sort);
  const columns = keys.map(({ field, descending }) => {
    const nulls = field.nullable ? (descending ? " NULLS LAST" : " NULLS FIRST") : "";
    return `${field.column}${descending ? " DESC" : ""}${nulls}`;
  });
  if (keys.at(-1)?.field.name !== "id") columns.push("id");
  return `ORDER BY ${columns.join(", ")}`;
}

/** The sort keys that affect the order: the first on each field, and none after the id. */
export function decidingKeys(sort: readonly SortKey[]): readonly SortKey[] {
  const first = sort.filter((key, index) =>
    sort.findIndex((other) => other.field === key.field) === index
  );
  const id = first.findIndex((key) => key.field.name === "id");
  return id < 0 ? first : first.slice(0, id + 1);
}

/** Whether reading the order's index up to the page visits fewer rows than sorting all matches. */
export function isWalkShorter(plan: SearchPlan, { matching, all }: Counts): boolean {
  if (plan.conditions.length + plan.dateRanges.length === 0) return true;
  if (decidingKeys(plan.sort).length > 1) return false; // No index has that order.
  const walked = (plan.offset + plan.limit) * all / Math.max(matching, 1);
  // A walk searches every row for each text; otherwise, an index finds the matches.
  return Math.min(walked, all) * Math.max(1, textsIn(plan) / 4) < matching;
}

export function textsIn({ conditions }: Pick<SearchPlan, "conditions">): number {
  return conditions.filter(({ comparison }) => comparison === "contains")
    .reduce((sum, { values }) => sum + values.length, 0);
}

export function joined(separator: string, parts: readonly Sql[]): Sql {
  return {
    text: parts.map((part) => part.text).join(separator),
    values: parts.flatMap((part) => part.values),
  };
}

/** Joins conditions with OR. They are nested in halves, because engines limit the depth. */
export function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 1) return conditions[0];
  const half = Math.ceil(conditions.length / 2);
  return `(${anyOf(conditions.slice(0, half))} OR ${anyOf(conditions.slice(half))})`;
}

function negatable(not: boolean, part: Sql): Sql {
  // Not `NOT`, because a negated condition also matches rows without a value.
  return not ? { text: `(${part.text}) IS NOT TRUE`, values: part.values } : part;
}

function compare({ field, comparison, values }: ColumnCondition, writer: ConditionWriter): Sql {
  const column = writer.column(field);
  if (comparison === "missing") return { text: `${column} IS NULL`, values: [] };
  if (comparison === "contains") {
    return writer.contains(field, values.map((value) => foldCase(String(value))));
  }
  const compared = values.map((value) => typeof value === "string" ? comparedText(value) : value);
  const text = comparison === "="
    ? `${column} IN (${placeholders(values)})`
    : anyOf(values.map(() => `${column} ${comparison} ?`));
  return { text, values: compared };
}

function within({ field, start, end }: ColumnRange, writer: ConditionWriter): Sql {
  const column = writer.column(field);
  const bounds: Sql[] = [];
  if (start !== undefined) bounds.push({ text: `${column} >= ?`, values: [start] });
  if (end !== undefined) bounds.push({ text: `${column} < ?`, values: [end] });
  const { text, values } = joined(" AND ", bounds);
  return { text: `(${text})`, values };
}

/** Plans as SQL for both engines: columns are from a fixed list, all else is bound values. */
import type { ColumnCondition, ColumnRange, SearchPlan, SortKey, Value } from "./search/plan.ts";
import type { StoredField } from "./fields.ts";
import { comparedText, foldCase } from "./text.ts";

/** A piece of SQL with `?` where its values belong. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (Value | null)[];
}

/** A `?` for each of some values, as in `IN (?, ?)`. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

/** How many rows match, and how many there are. */
export interface Counts {
  readonly matching: number;
  readonly all: number;
}

/** How an engine writes the parts of a condition. */
export interface ConditionWriter {
  column(field: StoredField): string;
  /** Whether a text field contains one of several values, given in folded case. */
  contains(field: StoredField, values: readonly string[]): Sql;
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
  return whereAll(parts);
}

/** A condition on a value, if one is given. */
export function given(text: string, value: Value | undefined): Sql[] {
  return value === undefined ? [] : [{ text, values: [value] }];
}

/** The condition that a column has one of these ids, written as text: databases limit bound values. */
export function amongIds(column: string, ids: readonly number[]): Sql {
  return {
    text: `${column} IN (${ids.length > 0 ? ids.map(Number).join(", ") : "-1"})`,
    values: [],
  };
}

/** That all of some conditions hold, as `WHERE …`, or nothing. */
export function whereAll(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: "", values: [] };
  const { text, values } = joined(" AND ", conditions);
  return { text: `WHERE ${text}`, values };
}

/** What is counted of the file sets that match: the values of a field, or how many meet each condition. */
export type Tally =
  & Pick<SearchPlan, "conditions" | "dateRanges">
  & (
    | { readonly by: StoredField; readonly most: number }
    | { readonly each: readonly (ColumnCondition | ColumnRange)[] }
  );

/** By values: rows of value, count and the count of all. By conditions: one row of counts. */
export function tally(
  asked: Tally,
  matching: Sql,
  writer: ConditionWriter,
  groupBy: (column: string) => string = (column) => column,
): Sql {
  const from = `FROM file_sets ${matching.text}`;
  if ("by" in asked) {
    const { column } = asked.by;
    const nulls = asked.by.nullable ? " NULLS FIRST" : "";
    return {
      text:
        `SELECT ${column}, count(*) AS counted, CAST(sum(count(*)) OVER () AS BIGINT) ${from} ` +
        `GROUP BY ${groupBy(column)} ORDER BY counted DESC, ${column}${nulls} LIMIT ?`,
      values: [...matching.values, asked.most],
    };
  }
  const counts = asked.each.map((condition) =>
    "comparison" in condition ? compare(condition, writer) : within(condition, writer)
  );
  return {
    text: `SELECT ${
      counts.map(({ text }) => `count(CASE WHEN ${text} THEN 1 END)`).join(", ")
    } ${from}`,
    values: [...counts.flatMap(({ values }) => values), ...matching.values],
  };
}

/** No value comes first ascending and last descending; ties are in ascending order of id. */
export function orderBy(sort: readonly SortKey[]): string {
  const keys = decidingKeys(sort);
  const columns = keys.map(({ field, descending }) => {
    const nulls = field.nullable ? (descending ? " NULLS LAST" : " NULLS FIRST") : "";
    return `${field.column}${descending ? " DESC" : ""}${nulls}`;
  });
  if (keys.at(-1)?.field.name !== "id") columns.push("id");
  return `ORDER BY ${columns.join(", ")}`;
}

/** The sort keys that can decide anything: the first on each field, and none after the id. */
export function decidingKeys(sort: readonly SortKey[]): readonly SortKey[] {
  const first = sort.filter((key, index) =>
    sort.findIndex((other) => other.field === key.field) === index
  );
  const id = first.findIndex((key) => key.field.name === "id");
  return id < 0 ? first : first.slice(0, id + 1);
}

/** Whether walking the order's index to the page visits fewer rows than sorting all matches. */
export function isWalkShorter(plan: SearchPlan, { matching, all }: Counts): boolean {
  if (plan.conditions.length + plan.dateRanges.length === 0) return true;
  if (decidingKeys(plan.sort).length > 1) return false; // No index has that order.
  const walked = (plan.offset + plan.limit) * all / Math.max(matching, 1);
  // A walk looks for each text in every row; otherwise, an index finds the rows that match.
  return Math.min(walked, all) * Math.max(1, textsIn(plan) / 4) < matching;
}

/** How many texts each row may be searched for. */
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

/** Whether any of several conditions holds. They are nested in halves, as engines limit the depth. */
export function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 1) return conditions[0];
  const half = Math.ceil(conditions.length / 2);
  return `(${anyOf(conditions.slice(0, half))} OR ${anyOf(conditions.slice(half))})`;
}

function negatable(not: boolean, part: Sql): Sql {
  // Not NOT: a negated condition also holds for rows without a value.
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

/** A search over rows in memory, as far as the interface documents it. */
import type { DateFilter, FieldSort, FileSet, Filter, SearchBody } from "../types.ts";

type Value = string | number | null | undefined;

/** The rows that match, in their order where the search names none. */
export function search(
  rows: readonly FileSet[],
  { fieldSort = [], filters = [], dateFilters = [] }: SearchBody,
): readonly FileSet[] {
  const matches = rows.filter((row) =>
    filters.every((filter) => matchesFilter(row, filter)) &&
    dateFilters.every((filter) => matchesDate(row, filter))
  );
  return fieldSort.length === 0 ? matches : matches.toSorted((a, b) => compareBy(a, b, fieldSort));
}

function matchesFilter(row: FileSet, { field, value = [], not = false }: Filter): boolean {
  const own = valueOf(row, field);
  return (own !== undefined && own !== null && value.includes(String(own))) !== not;
}

function matchesDate(row: FileSet, { field, start = "", end, not = false }: DateFilter): boolean {
  const own = valueOf(row, field);
  const within = typeof own === "string" && own >= start && (end === undefined || own < end);
  return within !== not;
}

function compareBy(a: FileSet, b: FileSet, keys: readonly FieldSort[]): number {
  for (const { field, order } of keys) {
    const result = compare(valueOf(a, field), valueOf(b, field));
    if (result !== 0) return order === "DESC" ? -result : result;
  }
  return compare(a.id, b.id);
}

function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === undefined || a === null) return -1;
  if (b === undefined || b === null) return 1;
  return a < b ? -1 : 1;
}

function valueOf(row: FileSet, field: string): Value {
  return (row as unknown as Record<string, Value>)[field];
}

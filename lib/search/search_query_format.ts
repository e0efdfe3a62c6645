/** Writes a search as a one-line query. */
import type { DateFilter, FieldSort, Filter, SearchBody } from "../types.ts";
import { quoted, quotePart } from "./query_parts.ts";
import {
  DATE_OPERATOR,
  fieldNamed,
  FILE_SET_QUERY,
  OPERATOR_SIGNS,
  type QueryField,
  type QueryTable,
  writeUnits,
} from "./query_table.ts";
import { parseQuery } from "./search_query.ts";

/** Writes a search as a query that is read as the same search. */
export function formatSearchQuery(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
  table: QueryTable = FILE_SET_QUERY,
): string {
  return [
    ...filters.map((filter) => formatFilter(filter, table)),
    ...dateFilters.map((filter) => formatDateFilter(filter, table)),
    ...(fieldSort.length > 0 ? [`sort:${formatSort(fieldSort, table)}`] : []),
  ].join(" ");
}

/** Writes sort keys as they stand after `sort:`, such as `-updated,name`. */
export function formatSort(keys: readonly FieldSort[], table: QueryTable): string {
  return keys.map(({ field, order = "ASC" }) => {
    const known = fieldNamed(table, field);
    if (known && order === "ASC") return known.name;
    if (known && order === "DESC") return `-${known.name}`;
    return `${formatName(field, table)}:${quotePart(order)}`;
  }).join();
}

/** Writes a condition as shortly as it can be read back. */
function formatFilter(
  { field, operator = "EQUALS", value = [], not = false }: Filter,
  table: QueryTable,
): string {
  const filter = { field, operator, value, ...not && { not } };
  const wanted = JSON.stringify({ filters: [filter] });
  const isRead = (query: string) => JSON.stringify(parseQuery(query, table).body) === wanted;
  const isPlain = /^[A-Z][A-Z_]*$/.test(operator) && operator !== DATE_OPERATOR;
  const operatorName = isPlain ? operator : quoted(operator);
  return shortForms({ ...filter, not }, table).find(isRead) ??
    `${not ? "-" : ""}${formatName(field, table)}:${operatorName}:${value.map(quotePart)}`;
}

/** Queries that may be read as the condition. */
function shortForms({ field, operator, value, not }: Required<Filter>, table: QueryTable) {
  const sign = not ? "-" : "";
  const forms: string[] = [];
  if (field === table.words && operator === "LIKE") {
    forms.push(...value.flatMap((text) => [sign + text, sign + quoted(text)]));
  }
  if (field === "recipientDomain") {
    const domains = value.map((domain) => quotePart(`@${domain}`));
    forms.push(`${sign}${formatName("recipient", table)}:${domains}`);
  }
  const known = fieldNamed(table, field);
  if (known && operator === "IS_NULL") {
    forms.push(not ? `has:${known.name}` : `no:${known.name}`, `-no:${known.name}`);
  } else if (known) {
    const values = value.map((text) => writeValue(text, known));
    forms.push(`${sign}${known.name}:${OPERATOR_SIGNS[operator] ?? ""}${values}`);
  }
  return forms;
}

function writeValue(text: string, { kind, choices }: QueryField): string {
  switch (kind) {
    case "integer":
    case "count":
      return text;
    case "seconds":
    case "bytes":
      return writeUnits(text, kind);
  }
  const choice = choices && Object.keys(choices).find((word) => choices[word] === text);
  return choice ?? quotePart(text);
}

function formatDateFilter(
  { field, start = "", end = "", range = `${start}..${end}`, not }: DateFilter,
  table: QueryTable,
): string {
  const isDate = fieldNamed(table, field)?.kind === "date-time";
  const name = formatName(field, table) + (isDate ? "" : `:${DATE_OPERATOR}`);
  return `${not ? "-" : ""}${name}:${range}`;
}

/** The name of a field in queries; in quotes if it is not known. */
function formatName(field: string, table: QueryTable): string {
  return fieldNamed(table, field)?.name ?? quoted(field);
}

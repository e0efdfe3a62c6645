import { calendarDays, formatCalendarDays } from "./date_ranges.ts";
import {
  COMPARISON_SIGNS,
  DATE_OPERATOR,
  fieldOf,
  FILE_SET_QUERY,
  type QueryField,
  queryName,
  type QueryTable,
  readUnits,
  writeUnits,
} from "./query_table.ts";
import { DOMAIN, quotePart, quoteWord } from "./search_query_values.ts";
import type { DateFilter, FieldSort, Filter, SearchBody } from "../types.ts";

/** Writes a search as a query that is parsed to the same search; whole days in the zone as days. */
export function formatSearchQuery(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
  zone?: string,
  table: QueryTable = FILE_SET_QUERY,
): string {
  const sort = fieldSort.map((key) => formatSortKey(key, table)).join(",");
  return [
    ...filters.map((filter) => (filter.not ? "-" : "") + formatFilter(filter, table)),
    ...dateFilters.map((filter) => (filter.not ? "-" : "") + formatDateFilter(filter, zone, table)),
    ...(sort ? [`sort:${sort}`] : []),
  ].join(" ");
}

function formatFilter(
  { field, operator = "EQUALS", value = [] }: Filter,
  table: QueryTable,
): string {
  const known = fieldOf(table, field);
  if (field === table.words && operator === "LIKE" && value.length === 1 && value[0] !== "") {
    return quoteWord(value[0]);
  }
  if (known && operator === "IS_NULL" && value.length === 0) return `no:${known.name}`;
  if (table.fields.recipient && field === "recipientDomain" && operator === "EQUALS") {
    const domains = value.map((text) => `@${text}`);
    const areRead = domains.every((text) => DOMAIN.exec(text)?.[1] === text.slice(1).toLowerCase());
    if (areRead && domains.length > 0) return `${table.fields.recipient.name}:${domains.join(",")}`;
  }
  const short = known && value.length > 0 ? formatValues(operator, value, known) : undefined;
  return short ??
    `${formatName(field, table)}:${formatOperator(operator)}:${value.map(quotePart).join(",")}`;
}

/** Writes a condition in the short form of its kind; undefined if it has none. */
function formatValues(
  operator: string,
  value: readonly string[],
  known: QueryField,
): string | undefined {
  const { name, kind } = known;
  const values = value.map((text) => writeValue(text, known));
  if (values.includes(undefined)) return undefined;
  if (kind === "words") return operator === "LIKE" ? `${name}:${values.join()}` : undefined;
  if (operator === "EQUALS") return `${name}:${values.join()}`;
  if (kind === "string") return operator === "LIKE" ? `${name}:~${values.join()}` : undefined;
  const isComparable = kind !== "boolean" && kind !== "recipient";
  const isComparison = isComparable && Object.hasOwn(COMPARISON_SIGNS, operator);
  return isComparison && values.length === 1
    ? `${name}:${COMPARISON_SIGNS[operator]}${values[0]}`
    : undefined;
}

/** Writes a value so that it is parsed to the same value; undefined if that is not possible. */
function writeValue(text: string, { kind, choices = {} }: QueryField): string | undefined {
  switch (kind) {
    case "integer":
    case "count":
      return /^-?(0|[1-9]\d*)$/.test(text) ? text : undefined;
    case "recipient":
      return /^(0|[1-9]\d{0,14})$/.test(text) ? text : undefined;
    case "seconds":
    case "bytes":
      return readUnits(text, kind) === text ? writeUnits(text, kind) : undefined;
    case "boolean":
      return Object.keys(choices).find((word) => choices[word] === text);
    case "date-time":
      return undefined;
    default:
      return quotePart(text);
  }
}

function formatDateFilter(
  { field, range, ...times }: DateFilter,
  zone: string | undefined,
  table: QueryTable,
): string {
  const key = fieldOf(table, field)?.kind === "date-time"
    ? queryName(table, field)
    : `${formatName(field, table)}:${DATE_OPERATOR}`;
  const { start = "", end = "" } = times;
  const days = zone !== undefined && (start || end) ? calendarDays(times, zone) : undefined;
  return `${key}:${range ?? (days ? formatCalendarDays(days) : `${start}..${end}`)}`;
}

function formatSortKey({ field, order = "ASC" }: FieldSort, table: QueryTable): string {
  const known = fieldOf(table, field);
  if (known && order === "ASC") return known.name;
  if (known && order === "DESC") return `-${known.name}`;
  return `${formatName(field, table)}:${quotePart(order)}`;
}

/** The name of a field in queries; in quotes if it is not known. */
function formatName(field: string, table: QueryTable): string {
  return fieldOf(table, field)?.name ?? `"${field.replaceAll('"', '""')}"`;
}

function formatOperator(operator: string): string {
  return /^[A-Z][A-Z_]*$/.test(operator) && operator !== DATE_OPERATOR
    ? operator
    : `"${operator.replaceAll('"', '""')}"`;
}

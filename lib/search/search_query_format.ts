/** Writes searches as one-line queries. */
import { calendarDays, formatCalendarDays } from "./date_ranges.ts";
import { fieldKind } from "../fields.ts";
import { COMPARISON_SIGNS, DATE_OPERATOR, queryName } from "./search_query_names.ts";
import { quotePart } from "./search_query_tokens.ts";
import type { DateFilter, FieldSort, Filter, SearchBody } from "../types.ts";

/**
 * Writes a search as a query, so that `parseSearchQuery` reads the same search back, with operator
 * and order filled in.
 *
 * @param zone IANA name of a zone: ranges of whole days in it are written as days. Otherwise, times
 * are written as they are.
 * @returns The query, empty for a search without conditions and sort keys.
 */
export function formatSearchQuery(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
  zone?: string,
): string {
  const sort = fieldSort.map(formatSortKey).join(",");
  return [
    ...filters.map((filter) => (filter.not ? "-" : "") + formatFilter(filter)),
    ...dateFilters.map((filter) => (filter.not ? "-" : "") + formatDateFilter(filter, zone)),
    ...(sort ? [`sort:${sort}`] : []),
  ].join(" ");
}

function formatFilter({ field, operator = "EQUALS", value = [] }: Filter): string {
  const kind = fieldKind(field);
  const values = value.map(quotePart).join(",");
  if (field === "name" && operator === "LIKE" && value.length === 1 && value[0] !== "") {
    return quotePart(value[0]);
  }
  if (operator === "IS_NULL" && value.length === 0 && kind) return `no:${queryName(field)}`;
  if (kind === "string" && value.length > 0) {
    if (operator === "EQUALS") return `${queryName(field)}:${values}`;
    if (operator === "LIKE") return `${queryName(field)}:~${values}`;
  }
  const isNumbers = value.length > 0 && value.every((text) => /^-?(0|[1-9]\d*)$/.test(text));
  if (kind === "integer" && isNumbers) {
    if (operator === "EQUALS") return `${queryName(field)}:${value.join(",")}`;
    if (value.length === 1 && Object.hasOwn(COMPARISON_SIGNS, operator)) {
      return `${queryName(field)}:${COMPARISON_SIGNS[operator]}${value[0]}`;
    }
  }
  return `${formatName(field)}:${formatOperator(operator)}:${values}`;
}

function formatDateFilter({ field, range, ...times }: DateFilter, zone?: string): string {
  const key = fieldKind(field) === "date-time"
    ? queryName(field)
    : `${formatName(field)}:${DATE_OPERATOR}`;
  const { start = "", end = "" } = times;
  const days = zone !== undefined && (start || end) ? calendarDays(times, zone) : undefined;
  return `${key}:${range ?? (days ? formatCalendarDays(days) : `${start}..${end}`)}`;
}

function formatSortKey({ field, order = "ASC" }: FieldSort): string {
  if (fieldKind(field) && order === "ASC") return queryName(field);
  if (fieldKind(field) && order === "DESC") return `-${queryName(field)}`;
  return `${formatName(field)}:${quotePart(order)}`;
}

/** The name of any field; in quotes unless it is known. */
function formatName(field: string): string {
  return fieldKind(field) ? queryName(field) : `"${field.replaceAll('"', '""')}"`;
}

function formatOperator(operator: string): string {
  return /^[A-Z][A-Z_]*$/.test(operator) && operator !== DATE_OPERATOR
    ? operator
    : `"${operator.replaceAll('"', '""')}"`;
}

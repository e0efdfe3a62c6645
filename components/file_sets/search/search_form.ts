/** Reads the search form. */
import { DEFAULT_LIMIT } from "../../../lib/backend.ts";
import { isDateRange } from "../../../lib/search/date_ranges.ts";
import { addDays, startOfDay } from "../../../lib/runs/days.ts";
import { formatSearchQuery } from "../../../lib/search/search_query_format.ts";
import type { ParameterIssue } from "../../../lib/search/search_url_read.ts";
import type { DateFilter, FieldSort, Filter } from "../../../lib/types.ts";
import { type DateContext, type ParsedView, parseFileSetsView } from "../file_sets_link.ts";
import { INPUTS } from "./search_inputs.ts";
import { FIELDS, isDate, resolveField } from "./search_text.ts";

/** The view that a submitted form asks for: its query, and what was added. */
export function viewOfForm(params: URLSearchParams, dates: DateContext): ParsedView {
  const { view, query, issues } = parseFileSetsView(params, dates);
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const added = {
    filters: newFilter(params),
    dateFilters: newDateFilter(params, dates),
    fieldSort: newSortKey(params),
  };
  const preset = newPreset(params);
  const isExtended = Object.values(added).some((list) => list.length > 0);
  const body = {
    filters: [...filters, ...added.filters],
    dateFilters: [...dateFilters, ...added.dateFilters],
    fieldSort: withSortKeys(fieldSort, added.fieldSort),
  };
  const { offset: _offset, open: _open, q, limit, columns, ...rest } = view;
  const text = isExtended ? formatSearchQuery(body) : query;
  if (preset) {
    const next = new URLSearchParams({ q: [text, preset].filter(Boolean).join(" ") });
    const parsed = parseFileSetsView(next, dates);
    return { ...parsed, view: { ...shown(), ...parsed.view }, issues: allIssues() };
  }
  return {
    view: { ...shown(), ...(q === undefined || isExtended ? {} : { q }), body },
    query: text,
    issues: allIssues(),
  };

  /** The view without its search. */
  function shown() {
    return {
      ...rest,
      ...selectedColumns(params, columns),
      // The form always sends a page size; the link leaves out the default.
      ...(limit === undefined || limit === DEFAULT_LIMIT ? {} : { limit }),
    };
  }

  function allIssues(): readonly ParameterIssue[] {
    return [...issues, ...incompleteConditions(params)];
  }
}

/** Half a condition is an issue: leaving it out would find more than was meant. */
function incompleteConditions(params: URLSearchParams): ParameterIssue[] {
  const has = (...names: string[]) => names.some((name) => text(params, name) !== "");
  const days = [INPUTS.from, INPUTS.through];
  const range = [INPUTS.preset, ...days];
  // Only the service knows whether another operator needs values.
  const needsValue = text(params, INPUTS.operator) !== "IS_NULL" && !has(INPUTS.otherOperator);
  const noValue = splitValues(params.get(INPUTS.value) ?? "").length === 0;
  const isInvalidDay = (name: string) =>
    has(name) && startOfDay(text(params, name), "UTC") === undefined;
  const issues: readonly (readonly [applies: boolean, parameter: string, detail: string])[] = [
    [has(INPUTS.value, INPUTS.otherOperator) && !has(INPUTS.field), "Field", "is required"],
    [has(INPUTS.field) && needsValue && noValue, "Value", "is required"],
    [has(...range) && !has(INPUTS.dateField), "Date field", "is required"],
    [has(INPUTS.dateField) && !has(...range), "Range", "is required"],
    [isInvalidDay(INPUTS.from), "From", "must be a date, such as 2026-01-31"],
    [isInvalidDay(INPUTS.through), "To", "must be a date, such as 2026-01-31"],
  ];
  return issues.filter(([applies]) => applies)
    .map(([, parameter, detail]) => ({ parameter, detail }));
}

/** All columns are the default, so the link leaves them out. */
function selectedColumns(
  params: URLSearchParams,
  present: readonly string[] | undefined,
): { columns?: readonly string[] } {
  const selected = params.getAll(INPUTS.column);
  const columns = selected.length > 0 ? FIELDS.filter((name) => selected.includes(name)) : present;
  return columns && columns.length < FIELDS.length ? { columns } : {};
}

function newFilter(params: URLSearchParams): Filter[] {
  const field = resolveField(text(params, INPUTS.field));
  if (!field) return [];
  const operator = text(params, INPUTS.otherOperator) || text(params, INPUTS.operator) || "EQUALS";
  const value = operator === "IS_NULL" ? [] : splitValues(params.get(INPUTS.value) ?? "");
  return [{ field, operator, value, ...negation(params, INPUTS.not) }];
}

function newDateFilter(params: URLSearchParams, { zone }: DateContext): DateFilter[] {
  const field = resolveField(text(params, INPUTS.dateField));
  const from = startIn(text(params, INPUTS.from), 0, zone);
  const through = startIn(text(params, INPUTS.through), 1, zone);
  if (!field || (!from && !through)) return [];
  return [{
    field,
    ...(from ? { start: from } : {}),
    ...(through ? { end: through } : {}),
    ...negation(params, INPUTS.dateNot),
  }];
}

/** A range such as `last-month` as a part of a query, so that it stays relative. */
function newPreset(params: URLSearchParams): string | undefined {
  const field = resolveField(text(params, INPUTS.dateField));
  const name = text(params, INPUTS.preset);
  const isCustom = text(params, INPUTS.from) !== "" || text(params, INPUTS.through) !== "";
  if (!isDate(field) || !isDateRange(name) || isCustom) return undefined;
  return `${text(params, INPUTS.dateNot) ? "-" : ""}${field}:${name}`;
}

function newSortKey(params: URLSearchParams): FieldSort[] {
  const field = resolveField(text(params, INPUTS.sortField));
  return field ? [{ field, order: text(params, INPUTS.sortOrder) || "ASC" }] : [];
}

/** Adds sort keys, instead of present ones for the same field. */
function withSortKeys(
  sort: readonly FieldSort[],
  added: readonly FieldSort[],
): readonly FieldSort[] {
  const isReplaced = ({ field }: FieldSort) => added.some((key) => key.field === field);
  return [...sort.filter((key) => !isReplaced(key)), ...added];
}

/**
 * Splits a comma-separated list. A value with a comma goes into double quotes, in which a quote is
 * doubled.
 */
export function splitValues(list: string): string[] {
  const values = list.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  return [...values]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((value) => value !== "");
}

/** The start of a day in a zone, some days later; nothing for a text that is not a day. */
function startIn(day: string, daysLater: number, zone: string): string | undefined {
  if (startOfDay(day, "UTC") === undefined) return undefined;
  const start = startOfDay(addDays(day, daysLater), zone)!;
  return new Date(start).toISOString().replace(".000Z", "Z");
}

function negation(params: URLSearchParams, name: string): { not?: true } {
  return params.get(name) === "true" ? { not: true } : {};
}

function text(params: URLSearchParams, name: string): string {
  return params.get(name)?.trim() ?? "";
}

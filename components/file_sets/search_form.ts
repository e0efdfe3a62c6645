/** Reads the search form. */
import { DEFAULT_LIMIT } from "../../lib/backend.ts";
import type { ParameterIssue } from "../../lib/search_url_read.ts";
import type { DateFilter, FieldSort, Filter } from "../../lib/types.ts";
import { presetRange } from "./date_presets.ts";
import { type ParsedView, parseFileSetsView } from "./file_sets_link.ts";
import { type FileSetsView, isQuickSearch } from "./file_sets_view.ts";
import { INPUTS } from "./search_inputs.ts";
import { FIELDS, resolveField } from "./search_text.ts";

/** The view that a submitted form asks for: the view it was shown with, and what was added. */
export function viewOfForm(params: URLSearchParams, now: Date): ParsedView {
  const { view, issues } = parseFileSetsView(params);
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const { offset: _offset, open: _open, limit, columns, ...rest } = view;
  return {
    view: {
      ...rest,
      ...selectedColumns(params, columns),
      // The form always sends a page size; the link leaves out the default.
      ...(limit === undefined || limit === DEFAULT_LIMIT ? {} : { limit }),
      body: {
        filters: [...withQuickSearch(filters, params), ...newFilter(params)],
        dateFilters: [...dateFilters, ...newDateFilter(params, now)],
        fieldSort: withSortKey(fieldSort, params),
      },
    } satisfies FileSetsView,
    issues: [...issues, ...incompleteConditions(params)],
  };
}

/** Half a condition is an issue: leaving it out would find more than was meant. */
function incompleteConditions(params: URLSearchParams): ParameterIssue[] {
  const has = (...names: string[]) => names.some((name) => text(params, name) !== "");
  const days = [INPUTS.from, INPUTS.through];
  const range = [INPUTS.preset, ...days];
  // Only the service knows whether another operator needs values.
  const needsValue = text(params, INPUTS.operator) !== "IS_NULL" && !has(INPUTS.otherOperator);
  const noValue = splitValues(params.get(INPUTS.value) ?? "").length === 0;
  const isInvalidDay = (name: string) => has(name) && !isDay(text(params, name));
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

/** The quick search is sent with its present text, so an empty one removes it. */
function withQuickSearch(filters: readonly Filter[], params: URLSearchParams): readonly Filter[] {
  if (!params.has(INPUTS.name)) return filters;
  const name = text(params, INPUTS.name);
  const others = filters.filter((filter) => !isQuickSearch(filter));
  return name ? [{ field: "name", operator: "LIKE", value: [name] }, ...others] : others;
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

function newDateFilter(params: URLSearchParams, now: Date): DateFilter[] {
  const field = resolveField(text(params, INPUTS.dateField));
  const from = text(params, INPUTS.from);
  const through = text(params, INPUTS.through);
  const preset = presetRange(text(params, INPUTS.preset), now);
  if (!field || (!from && !through && !preset)) return [];
  return [{
    field,
    ...preset,
    ...(from ? { start: startOfDay(from, 0) } : {}),
    ...(through ? { end: startOfDay(through, 1) } : {}),
    ...negation(params, INPUTS.dateNot),
  }];
}

function withSortKey(sort: readonly FieldSort[], params: URLSearchParams): readonly FieldSort[] {
  const field = resolveField(text(params, INPUTS.sortField));
  if (!field) return sort;
  const order = text(params, INPUTS.sortOrder) || "ASC";
  return [...sort.filter((key) => key.field !== field), { field, order }];
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

function isDay(day: string): boolean {
  return !Number.isNaN(Date.parse(`${day}T00:00:00Z`));
}

/** The start of a day in UTC, some days later. A text that is not a day is returned unchanged. */
function startOfDay(day: string, daysLater: number): string {
  if (!isDay(day)) return day;
  const start = new Date(`${day}T00:00:00Z`);
  start.setUTCDate(start.getUTCDate() + daysLater);
  return `${start.toISOString().slice(0, 19)}Z`;
}

function negation(params: URLSearchParams, name: string): { not?: true } {
  return params.get(name) === "true" ? { not: true } : {};
}

function text(params: URLSearchParams, name: string): string {
  return params.get(name)?.trim() ?? "";
}

/** What the search form sends, and the view that it asks for. */
import { DEFAULT_LIMIT } from "../../lib/request.ts";
import type { ParameterIssue } from "../../lib/search_url_read.ts";
import type { DateFilter, FieldSort, Filter } from "../../lib/types.ts";
import { presetRange } from "./date_presets.ts";
import { parseFileSetsView } from "./file_sets_link.ts";
import { type FileSetsView, isQuickSearch } from "./file_sets_view.ts";
import { INPUTS } from "./search_inputs.ts";
import { fieldMeant, FIELDS } from "./search_words.ts";

/**
 * The view that a sent form asks for: the one it was shown with, and what was added. Presets of
 * dates are resolved, so that the link means the same days tomorrow.
 */
export function viewOfForm(
  params: URLSearchParams,
  now: Date,
): { readonly view: FileSetsView; readonly faults: readonly ParameterIssue[] } {
  const { view, faults: linkFaults } = parseFileSetsView(params);
  const faults = [...linkFaults, ...halfConditions(params)];
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const { offset: _offset, open: _open, limit, columns, ...rest } = view;
  return {
    view: {
      ...rest,
      ...columnsOf(params, columns),
      // The form always sends a page size; the usual one need not be in the link.
      ...(limit === undefined || limit === DEFAULT_LIMIT ? {} : { limit }),
      body: {
        filters: [...withQuickSearch(filters, params), ...newFilter(params)],
        dateFilters: [...dateFilters, ...newDateFilter(params, now)],
        fieldSort: withSortKey(fieldSort, params),
      },
    },
    faults,
  };
}

/** Parts of a condition without the others: dropping them would search for more than was meant. */
function halfConditions(params: URLSearchParams): ParameterIssue[] {
  const faults: ParameterIssue[] = [];
  const demand = (present: boolean, missing: boolean, parameter: string, detail: string) => {
    if (present && missing) faults.push({ parameter, detail });
  };
  const given = (...names: string[]) => names.some((name) => text(params, name) !== "");
  // Whether another operator takes values is for the service to say.
  const needsValue = text(params, INPUTS.operator) !== "IS_NULL" && !given(INPUTS.otherOperator);
  demand(
    given(INPUTS.value, INPUTS.otherOperator),
    !given(INPUTS.field),
    "Field",
    "is missing for this condition",
  );
  demand(
    given(INPUTS.field) && needsValue,
    splitValues(params.get(INPUTS.value) ?? "").length === 0,
    "Value",
    "is missing for this field",
  );
  const range = [INPUTS.preset, INPUTS.from, INPUTS.through];
  demand(given(...range), !given(INPUTS.dateField), "Date field", "is missing for these days");
  demand(given(INPUTS.dateField), !given(...range), "Range", "is missing for this date field");
  for (const name of [INPUTS.from, INPUTS.through]) {
    const day = text(params, name);
    demand(
      day !== "",
      startOfDay(day, 0) === day,
      LABELS[name],
      "must be a day, such as 2026-01-31",
    );
  }
  return faults;
}

const LABELS: Readonly<Record<string, string>> = {
  [INPUTS.from]: "From",
  [INPUTS.through]: "Through",
};

/** The quick search is in the form with its present text, so an empty one takes it away. */
function withQuickSearch(filters: readonly Filter[], params: URLSearchParams): readonly Filter[] {
  if (!params.has(INPUTS.name)) return filters;
  const name = text(params, INPUTS.name);
  const others = filters.filter((filter) => !isQuickSearch(filter));
  return name ? [{ field: "name", operator: "LIKE", value: [name] }, ...others] : others;
}

/** All columns together are what a link without columns shows. */
function columnsOf(
  params: URLSearchParams,
  present: readonly string[] | undefined,
): { columns?: readonly string[] } {
  const chosen = params.getAll(INPUTS.column);
  const columns = chosen.length > 0 ? FIELDS.filter((field) => chosen.includes(field)) : present;
  return columns && columns.length < FIELDS.length ? { columns } : {};
}

function newFilter(params: URLSearchParams): Filter[] {
  const field = fieldMeant(text(params, INPUTS.field));
  if (!field) return [];
  const operator = text(params, INPUTS.otherOperator) || text(params, INPUTS.operator) || "EQUALS";
  const value = operator === "IS_NULL" ? [] : splitValues(params.get(INPUTS.value) ?? "");
  return [{ field, operator, value, ...negation(params, INPUTS.not) }];
}

function newDateFilter(params: URLSearchParams, now: Date): DateFilter[] {
  const field = fieldMeant(text(params, INPUTS.dateField));
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
  const field = fieldMeant(text(params, INPUTS.sortField));
  if (!field) return sort;
  const order = text(params, INPUTS.sortOrder) || "ASC";
  return [...sort.filter((key) => key.field !== field), { field, order }];
}

/**
 * Values as people type several: with commas between. One that has a comma itself stands in double
 * quotes, and a quote inside those is doubled.
 */
export function splitValues(typed: string): string[] {
  const values = typed.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  return [...values]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((value) => value !== "");
}

/** The first moment of a day in UTC, some days later; what is no day stays as it was typed. */
function startOfDay(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) return day;
  start.setUTCDate(start.getUTCDate() + daysLater);
  return `${start.toISOString().slice(0, 19)}Z`;
}

function negation(params: URLSearchParams, name: string): { not?: true } {
  return params.get(name) === "true" ? { not: true } : {};
}

function text(params: URLSearchParams, name: string): string {
  return params.get(name)?.trim() ?? "";
}

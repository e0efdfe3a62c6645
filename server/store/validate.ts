/**
 * What the embedded service accepts: a search or a page of runs is read into a plan that no longer
 * holds text of the caller except as values, or every validation issue is reported.
 */
import { OPERATORS } from "../../lib/fields.ts";
import type { HistoryOptions, SearchOptions } from "../../lib/backend.ts";
import { DEFAULT_LIMIT } from "../../lib/backend.ts";
import type { DateFilter, FieldSort, Filter, KnownOperator, SearchBody } from "../../lib/types.ts";
import { throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { readDateTime } from "./dates.ts";
import { type Field, fieldNamed, fieldNames, FIELDS } from "./fields.ts";
import type { Comparison, Condition, DateRange, SearchPlan, SortKey, Value } from "./plan.ts";
import { compareText, foldCase, hasTrigram, textIssue } from "./text.ts";
import { wholeNumber } from "../config/whole_number.ts";

/** The most that one search may ask for. */
export const LIMITS = {
  pageSize: 1000,
  sortKeys: 10,
  filters: 50,
  dateFilters: 50,
  values: 1000,
  /** Values of LIKE that no index finds, so that each is looked for in every row. */
  scannedValues: 10,
};

const COMPARISONS: Readonly<Record<KnownOperator, Comparison>> = {
  EQUALS: "=",
  LIKE: "contains",
  IN: "=",
  IS_NULL: "missing",
  GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=",
  LESS_THAN: "<",
  LESS_THAN_OR_EQUAL: "<=",
};

/** Reads a search into a plan, and collects what is wrong with it. */
export function toSearchPlan(
  body: SearchBody,
  options: Pick<SearchOptions, "limit" | "offset">,
): { readonly plan: SearchPlan; readonly issues: readonly ValidationIssue[] } {
  const issues: ValidationIssue[] = [];
  const limit = pageSize(options.limit, issues);
  const offset = skipped("offset", options.offset, issues);
  const sort = elements(body.fieldSort, "/fieldSort", LIMITS.sortKeys, "sort keys", issues)
    .flatMap((key, index) => readSort(key, `/fieldSort/${index}`, issues));
  const filters = boundedValues(body.filters, issues);
  const conditions = elements(filters, "/filters", LIMITS.filters, "filters", issues)
    .flatMap((filter, index) => readFilter(filter, `/filters/${index}`, issues));
  checkScans(conditions, issues);
  const dateRanges = elements(
    body.dateFilters,
    "/dateFilters",
    LIMITS.dateFilters,
    "date filters",
    issues,
  ).flatMap((filter, index) => readDateFilter(filter, `/dateFilters/${index}`, issues));
  return { plan: { conditions, dateRanges, sort, limit, offset }, issues };
}

/** Every issue of a search. */
export function searchIssues(
  body: SearchBody,
  options: Pick<SearchOptions, "limit" | "offset">,
): readonly ValidationIssue[] {
  return toSearchPlan(body, options).issues;
}

/** Every issue of a request for runs. */
export function historyIssues(
  options: Pick<HistoryOptions, "limit" | "skip">,
): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  pageSize(options.limit, issues);
  skipped("skip", options.skip, issues);
  return issues;
}

/** The part of a history to return; throws a 400 when it is invalid. */
export function toHistoryRange(
  options: Pick<HistoryOptions, "limit" | "skip">,
): { readonly limit: number; readonly skip: number } {
  throwIfInvalid(historyIssues(options));
  return { limit: options.limit ?? DEFAULT_LIMIT, skip: options.skip ?? 0 };
}

// Of too many values only the first of each filter is looked at, or the issues would have no bound.
function boundedValues(
  filters: readonly (Filter | undefined)[] | undefined,
  issues: ValidationIssue[],
): readonly (Filter | undefined)[] | undefined {
  const count = filters?.reduce((sum, filter) => sum + (filter?.value?.length ?? 0), 0) ?? 0;
  if (count <= LIMITS.values) return filters;
  const detail = `must have at most ${LIMITS.values} values in all, not ${count}`;
  issues.push({ pointer: "/filters", detail });
  return filters?.map((filter) =>
    filter?.value ? { ...filter, value: filter.value.slice(0, 1) } : filter
  );
}

function pageSize(limit = DEFAULT_LIMIT, issues: ValidationIssue[]): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.pageSize) return limit;
  issues.push({
    parameter: "limit",
    detail: `must be a whole number from 1 to ${LIMITS.pageSize}`,
  });
  return DEFAULT_LIMIT;
}

function skipped(parameter: "offset" | "skip", count = 0, issues: ValidationIssue[]): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  issues.push({ parameter, detail: "must be a whole number from 0 to 2^53 - 1" });
  return 0;
}

function elements<T>(
  list: readonly (T | undefined)[] | undefined,
  pointer: string,
  most: number,
  noun: string,
  issues: ValidationIssue[],
): readonly (T | undefined)[] {
  if (list === undefined || list.length <= most) return list ?? [];
  issues.push({ pointer, detail: `must have at most ${most} ${noun}, not ${list.length}` });
  return list.slice(0, most);
}

function readSort(
  key: FieldSort | undefined,
  pointer: string,
  issues: ValidationIssue[],
): SortKey[] {
  if (!key) return [];
  const field = knownField(key.field, pointer, FIELDS, issues);
  const order = key.order ?? "ASC";
  if (order !== "ASC" && order !== "DESC") {
    issues.push({ pointer: `${pointer}/order`, detail: "must be ASC or DESC" });
  }
  return field ? [{ field, descending: order === "DESC" }] : [];
}

function readFilter(
  filter: Filter | undefined,
  pointer: string,
  issues: ValidationIssue[],
): Condition[] {
  if (!filter) return [];
  const field = knownField(filter.field, pointer, FIELDS, issues);
  const operator = OPERATORS.find((known) => known === (filter.operator ?? "EQUALS"));
  if (!operator) {
    issues.push({
      pointer: `${pointer}/operator`,
      detail: `must be one of ${OPERATORS.join(", ")}`,
    });
    return [];
  }
  const comparison = COMPARISONS[operator];
  const texts = filter.value ?? [];
  const here = `${pointer}/value`;
  if (comparison === "missing") {
    if (texts.length > 0) issues.push({ pointer: here, detail: "must be empty with IS_NULL" });
    return field ? [{ field, comparison, values: [], not: filter.not ?? false }] : [];
  }
  if (texts.length === 0) issues.push({ pointer: here, detail: "needs at least one value" });
  if (!field) return [];
  if (comparison === "contains" && field.kind !== "string") {
    issues.push({
      pointer: `${pointer}/operator`,
      detail: `must not be LIKE for ${field.name}: only for ${fieldNames("string")}`,
    });
    return [];
  }
  const values = texts.flatMap((text, index) =>
    text === undefined ? [] : readValue(field, text, `${here}/${index}`, issues)
  );
  return [{
    field,
    comparison,
    values: decisive(field, comparison, values),
    not: filter.not ?? false,
  }];
}

/** A LIKE on ids, or for fewer than three characters, has to look at every row. */
function checkScans(conditions: readonly Condition[], issues: ValidationIssue[]): void {
  const scanned = conditions.filter(({ comparison }) => comparison === "contains")
    .flatMap(({ field, values }) =>
      values.filter((value) => !field.hasTrigrams || !hasTrigram(foldCase(String(value))))
    );
  if (scanned.length <= LIMITS.scannedValues) return;
  issues.push({
    pointer: "/filters",
    detail:
      `must have at most ${LIMITS.scannedValues} values of LIKE that are for id or have fewer ` +
      `than three characters, not ${scanned.length}: no index finds them`,
  });
}

/** What an id may contain: ids are UUIDs. */
const ID_PART = /^[0-9a-f-]{0,36}$/;

/**
 * The values that matter: a value greater than any of several is greater than the least of them.
 */
function decisive(
  field: Field,
  comparison: Comparison,
  values: readonly Value[],
): readonly Value[] {
  if (comparison === "contains" && field.name === "id") {
    return [...new Set(values)].filter((value) => ID_PART.test(foldCase(String(value))));
  }
  if (comparison === "=" || comparison === "contains") return [...new Set(values)];
  const sign = comparison.startsWith(">") ? 1 : -1;
  const sorted = values.toSorted((a, b) => sign * compareValues(a, b));
  return sorted.slice(0, 1);
}

function compareValues(a: Value, b: Value): number {
  return typeof a === "string" ? compareText(a, String(b)) : a - Number(b);
}

function readDateFilter(
  filter: DateFilter | undefined,
  pointer: string,
  issues: ValidationIssue[],
): DateRange[] {
  if (!filter) return [];
  const dates = FIELDS.filter((field) => field.kind === "date-time");
  const field = knownField(filter.field, pointer, dates, issues);
  if (filter.start === undefined && filter.end === undefined) {
    issues.push({ pointer, detail: "needs a start, an end, or both" });
  }
  const start = readBound(filter.start, `${pointer}/start`, issues);
  const end = readBound(filter.end, `${pointer}/end`, issues);
  return field ? [{ field, start, end, not: filter.not ?? false }] : [];
}

function readBound(
  text: string | undefined,
  pointer: string,
  issues: ValidationIssue[],
): number | undefined {
  if (text === undefined) return undefined;
  const read = readDateTime(text);
  if (read.issue !== undefined) issues.push({ pointer, detail: read.issue });
  return read.ms;
}

function knownField(
  name: string | undefined,
  pointer: string,
  allowed: readonly Field[],
  issues: ValidationIssue[],
): Field | undefined {
  const field = name === undefined ? undefined : fieldNamed(name);
  if (field && allowed.includes(field)) return field;
  const names = allowed === FIELDS ? fieldNames() : fieldNames("date-time");
  issues.push({ pointer: `${pointer}/field`, detail: `must be one of ${names}` });
  return undefined;
}

function readValue(
  field: Field,
  text: string,
  pointer: string,
  issues: ValidationIssue[],
): Value[] {
  if (field.kind === "string") {
    const issue = textIssue(text);
    if (issue) issues.push({ pointer, detail: issue });
    return [text];
  }
  if (field.kind === "date-time") {
    const read = readDateTime(text);
    if (read.issue !== undefined) issues.push({ pointer, detail: read.issue });
    return read.ms === undefined ? [] : [read.ms];
  }
  const number = wholeNumber(text);
  if (number === null) {
    issues.push({ pointer, detail: `must be a whole number, as ${field.name} is` });
    return [];
  }
  return [number];
}

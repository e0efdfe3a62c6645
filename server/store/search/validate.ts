/** Validates a search or a history request, and turns it into a plan or a range. */
import {
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../../../lib/client/backend.ts";
import type { Filter, SearchInput } from "../../../lib/types.ts";
import { throwIfInvalid, type ValidationIssue } from "../../http/problem.ts";
import { readDateFilter, readFilter, readSort, type Report } from "./conditions.ts";
import type { ColumnCondition, SearchPlan } from "./plan.ts";
import { foldCase } from "../../../lib/search/compare_values.ts";
import { plainSearch } from "../../../lib/search/match_file_sets.ts";
import { hasTrigram } from "../text.ts";

export const LIMITS = {
  pageSize: 1000,
  sortKeys: 10,
  filters: 50,
  dateFilters: 50,
  values: 1000,
  /** LIKE values that no index finds: each is searched for in every row. */
  scannedValues: 10,
};

export function toSearchPlan(
  search: SearchInput,
  options: Pick<SearchOptions, "limit" | "offset">,
): { readonly plan: SearchPlan; readonly issues: readonly ValidationIssue[] } {
  const body = plainSearch(search);
  const issues: ValidationIssue[] = [];
  const report: Report = (pointer, detail) => void issues.push({ pointer, detail });

  /** Reads the first `max` elements of a list, and reports if there are more. */
  function readList<T, Part>(
    list: readonly (T | undefined)[] = [],
    pointer: string,
    max: number,
    noun: string,
    read: (element: T | undefined, pointer: string, report: Report) => readonly Part[],
  ): readonly Part[] {
    if (list.length > max) {
      report(pointer, `must have at most ${max} ${noun}, not ${list.length}`);
    }
    return list.slice(0, max)
      .flatMap((element, index) => read(element, `${pointer}/${index}`, report));
  }

  const limit = readPageSize(options.limit, issues);
  const offset = readSkippedRows("offset", options.offset, issues);
  const sort = readList(body.fieldSort, "/fieldSort", LIMITS.sortKeys, "sort keys", readSort);
  const filters = boundedValues(body.filters, report);
  const conditions = readList(filters, "/filters", LIMITS.filters, "filters", readFilter);
  checkScans(conditions, report);
  const dateRanges = readList(
    body.dateFilters,
    "/dateFilters",
    LIMITS.dateFilters,
    "date filters",
    readDateFilter,
  );
  return { plan: { conditions, dateRanges, sort, limit, offset }, issues };
}

export function searchIssues(
  body: SearchInput,
  options: Pick<SearchOptions, "limit" | "offset">,
): readonly ValidationIssue[] {
  return toSearchPlan(body, options).issues;
}

export function historyIssues(
  options: Pick<HistoryOptions, "limit" | "skip">,
): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  readPageSize(options.limit, issues);
  readSkippedRows("skip", options.skip, issues);
  return issues;
}

/** The part of a history to return. @throws {ProblemError} If it is invalid. */
export function toHistoryRange(
  options: Pick<HistoryOptions, "limit" | "skip">,
): { readonly limit: number; readonly skip: number } {
  throwIfInvalid(historyIssues(options));
  return { limit: options.limit ?? DEFAULT_LIMIT, skip: options.skip ?? 0 };
}

/** Limits the issues: if there are too many values, only the first of each filter is checked. */
function boundedValues(
  filters: readonly (Filter | undefined)[] | undefined,
  report: Report,
): readonly (Filter | undefined)[] | undefined {
  const count = filters?.reduce((sum, filter) => sum + (filter?.value?.length ?? 0), 0) ?? 0;
  if (count <= LIMITS.values) return filters;
  report("/filters", `must have at most ${LIMITS.values} values in all, not ${count}`);
  return filters?.map((filter) =>
    filter?.value ? { ...filter, value: filter.value.slice(0, 1) } : filter
  );
}

function readPageSize(limit = DEFAULT_LIMIT, issues: ValidationIssue[]): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.pageSize) return limit;
  issues.push({
    parameter: "limit",
    detail: `must be a whole number from 1 to ${LIMITS.pageSize}`,
  });
  return DEFAULT_LIMIT;
}

function readSkippedRows(
  parameter: "offset" | "skip",
  count = 0,
  issues: ValidationIssue[],
): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  issues.push({ parameter, detail: "must be a whole number from 0 to 2^53 - 1" });
  return 0;
}

/** A LIKE on ids, or of fewer than three characters, visits every row. */
function checkScans(conditions: readonly ColumnCondition[], report: Report): void {
  const scanned = conditions.filter(({ comparison }) => comparison === "contains")
    .flatMap(({ field, values }) =>
      values.filter((value) => !field.hasTrigrams || !hasTrigram(foldCase(String(value))))
    );
  if (scanned.length <= LIMITS.scannedValues) return;
  report(
    "/filters",
    `must have at most ${LIMITS.scannedValues} values of LIKE that are for id or have fewer ` +
      `than three characters, not ${scanned.length}: no index finds them`,
  );
}

/** Turns a search into a plan, where the caller's texts are values only, or reports all issues. */
import {
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../../../lib/client/backend.ts";
import type { Filter, SearchBody } from "../../../lib/types.ts";
import { throwIfInvalid, type ValidationIssue } from "../../http/problem.ts";
import { readDateFilter, readFilter, readSort, type Report } from "./conditions.ts";
import type { ColumnCondition, SearchPlan } from "./plan.ts";
import { foldCase, hasTrigram } from "../text.ts";

export const LIMITS = {
  pageSize: 1000,
  sortKeys: 10,
  filters: 50,
  dateFilters: 50,
  values: 1000,
  /** Values of LIKE that no index finds: each is searched for in every row. */
  scannedValues: 10,
};

export function toSearchPlan(
  body: SearchBody,
  options: Pick<SearchOptions, "limit" | "offset">,
): { readonly plan: SearchPlan; readonly issues: readonly ValidationIssue[] } {
  const issues: ValidationIssue[] = [];
  const report: Report = (pointer, detail) => void issues.push({ pointer, detail });

  /** Reads the elements of a list, as many as it may have. */
  function each<T, Part>(
    list: readonly (T | undefined)[] = [],
    pointer: string,
    most: number,
    noun: string,
    read: (element: T | undefined, pointer: string, report: Report) => readonly Part[],
  ): readonly Part[] {
    if (list.length > most) {
      report(pointer, `must have at most ${most} ${noun}, not ${list.length}`);
    }
    return list.slice(0, most)
      .flatMap((element, index) => read(element, `${pointer}/${index}`, report));
  }

  const limit = pageSize(options.limit, issues);
  const offset = skipped("offset", options.offset, issues);
  const sort = each(body.fieldSort, "/fieldSort", LIMITS.sortKeys, "sort keys", readSort);
  const filters = boundedValues(body.filters, report);
  const conditions = each(filters, "/filters", LIMITS.filters, "filters", readFilter);
  checkScans(conditions, report);
  const dateRanges = each(
    body.dateFilters,
    "/dateFilters",
    LIMITS.dateFilters,
    "date filters",
    readDateFilter,
  );
  return { plan: { conditions, dateRanges, sort, limit, offset }, issues };
}

export function searchIssues(
  body: SearchBody,
  options: Pick<SearchOptions, "limit" | "offset">,
): readonly ValidationIssue[] {
  return toSearchPlan(body, options).issues;
}

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

// If there are too many values, only the first of each filter is checked, which bounds the issues.
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

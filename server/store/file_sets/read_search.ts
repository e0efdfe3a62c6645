/** Reads searches: what is valid becomes SQL, and everything else is reported. */
import {
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../../../lib/client/backend.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import { OPERATORS } from "../../../lib/fields.ts";
import { isTooLarge, wholeNumber } from "../../../lib/format.ts";
import { foldCase } from "../../../lib/search/compare_values.ts";
import { plainSearch } from "../../../lib/search/match_file_sets.ts";
import type { DateFilter, FieldSort, Filter, SearchInput } from "../../../lib/types.ts";
import { throwIfInvalid, type ValidationIssue } from "../../http/problem.ts";
import type { Sql } from "../database/sql.ts";
import { textIssue } from "../../http/shape.ts";
import { CONDITIONS, hasTrigram, isInRange, negated, type SortKey } from "./conditions.ts";
import { FIELDS, ID, type StoredField } from "./fields.ts";

export const LIMITS = {
  pageSize: 1000,
  sortKeys: 10,
  filters: 50,
  dateFilters: 50,
  values: 1000,
  /** LIKE values that no index finds: each is searched for in every row. */
  scannedValues: 10,
};

export interface SearchSpec {
  readonly conditions: readonly FieldCondition[];
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
}

export interface FieldCondition {
  readonly field: StoredField;
  readonly holds: Sql;
  /** Whether it names the ids, so that few rows are read. */
  readonly isLookup: boolean;
}

type PageOptions = Pick<SearchOptions, "limit" | "offset">;

/** @throws {ProblemError} If it is invalid, with every issue. */
export function readSearch(input: SearchInput, options: PageOptions = {}): SearchSpec {
  const { search, issues } = checkSearch(input, options);
  throwIfInvalid(issues);
  return search;
}

export function searchIssues(
  input: SearchInput,
  options: PageOptions,
): readonly ValidationIssue[] {
  return checkSearch(input, options).issues;
}

function checkSearch(input: SearchInput, options: PageOptions) {
  const body = plainSearch(input);
  const issues: ValidationIssue[] = [];
  const report = (pointer: string, detail: string) => void issues.push({ pointer, detail });
  let scannedValues = 0;

  /** Reads the first `max` elements of a list. */
  function readList<Element, Part>(
    list: readonly (Element | undefined)[] = [],
    [pointer, max, noun]: readonly [string, number, string],
    read: (element: Element, pointer: string) => Part | undefined,
  ): readonly Part[] {
    if (list.length > max) report(pointer, `must have at most ${max} ${noun}, not ${list.length}`);
    return list.slice(0, max).flatMap((element, at) =>
      element === undefined ? [] : read(element, `${pointer}/${at}`) ?? []
    );
  }

  function readField(
    name: string | undefined,
    pointer: string,
    allowed: readonly StoredField[] = FIELDS,
  ): StoredField | undefined {
    const field = allowed.find((each) => each.name === name);
    if (!field) report(`${pointer}/field`, `must be one of ${namesOf(allowed)}`);
    return field;
  }

  function readSort(key: FieldSort, pointer: string): SortKey | undefined {
    const field = readField(key.field, pointer);
    const order = key.order ?? "ASC";
    if (order !== "ASC" && order !== "DESC") report(`${pointer}/order`, "must be ASC or DESC");
    return field && { field, isDescending: order === "DESC" };
  }

  function readFilter(filter: Filter, pointer: string): FieldCondition | undefined {
    const field = readField(filter.field, pointer);
    const operator = OPERATORS.find((known) => known === (filter.operator ?? "EQUALS"));
    const texts = filter.value ?? [];
    if (!operator) {
      return report(`${pointer}/operator`, `must be one of ${OPERATORS.join(", ")}`);
    }
    if (operator === "IS_NULL") {
      if (texts.length > 0) report(`${pointer}/value`, "must be empty with IS_NULL");
    } else if (texts.length === 0) report(`${pointer}/value`, "needs at least one value");
    if (!field) return undefined;
    if (operator === "LIKE" && field.kind !== "string") {
      const names = namesOf(FIELDS.filter(({ kind }) => kind === "string"));
      return report(
        `${pointer}/operator`,
        `must not be LIKE for ${field.name}: only for ${names}`,
      );
    }
    const values = new Set(
      texts.flatMap((text, at) =>
        text === undefined ? [] : readValue(field, text, `${pointer}/value/${at}`)
      ),
    );
    if (operator === "LIKE") {
      scannedValues += [...values].filter((value) =>
        !field.hasTrigrams || !hasTrigram(foldCase(String(value)))
      ).length;
    }
    const isLookup = field === ID && !filter.not && ["EQUALS", "IN"].includes(operator);
    return condition(field, CONDITIONS[operator](field, [...values]), filter.not, isLookup);
  }

  function readDateFilter(filter: DateFilter, pointer: string): FieldCondition | undefined {
    const dates = FIELDS.filter(({ kind }) => kind === "date-time");
    const field = readField(filter.field, pointer, dates);
    if (filter.start === undefined && filter.end === undefined) {
      report(pointer, "needs a start, an end, or both");
    }
    const [start, end] = (["start", "end"] as const).map((bound) =>
      filter[bound] === undefined ? undefined : readTime(filter[bound], `${pointer}/${bound}`)
    );
    return field && condition(field, isInRange(field, start, end), filter.not);
  }

  function readTime(text: string, pointer: string): number | undefined {
    const { ms, issue } = readDateTime(text);
    if (issue !== undefined) report(pointer, issue);
    return ms;
  }

  function readValue(
    field: StoredField,
    text: string,
    pointer: string,
  ): readonly (string | number)[] {
    if (field.kind === "string") {
      const issue = textIssue(text);
      if (issue) report(pointer, issue);
      return [text];
    }
    const value = field.kind === "date-time" ? readTime(text, pointer) : wholeNumber(text);
    if (value === null) {
      report(
        pointer,
        isTooLarge(text)
          ? `must be at most ${Number.MAX_SAFE_INTEGER}`
          : `must be a whole number, as ${field.name} is`,
      );
    }
    return value === null || value === undefined ? [] : [value];
  }

  /** If there are too many values, only the first of each filter is checked, to limit the issues. */
  function boundedFilters(filters: readonly (Filter | undefined)[] = []) {
    const count = filters.reduce((sum, filter) => sum + (filter?.value?.length ?? 0), 0);
    if (count <= LIMITS.values) return filters;
    report("/filters", `must have at most ${LIMITS.values} values in all, not ${count}`);
    return filters.map((filter) => filter && { ...filter, value: filter.value?.slice(0, 1) });
  }

  issues.push(...pageIssues("offset", options.limit, options.offset));
  const { limit = DEFAULT_LIMIT, offset = 0 } = options;
  const sort = readList(body.fieldSort, ["/fieldSort", LIMITS.sortKeys, "sort keys"], readSort);
  const filters = readList(
    boundedFilters(body.filters),
    ["/filters", LIMITS.filters, "filters"],
    readFilter,
  );
  if (scannedValues > LIMITS.scannedValues) {
    report(
      "/filters",
      `must have at most ${LIMITS.scannedValues} values of LIKE that are for id or have fewer ` +
        `than three characters, not ${scannedValues}: no index finds them`,
    );
  }
  const dateFilters = readList(
    body.dateFilters,
    ["/dateFilters", LIMITS.dateFilters, "date filters"],
    readDateFilter,
  );
  return { search: { conditions: [...filters, ...dateFilters], sort, limit, offset }, issues };
}

function condition(field: StoredField, holds: Sql, not = false, isLookup = false): FieldCondition {
  return { field, holds: not ? negated(holds) : holds, isLookup };
}

function namesOf(fields: readonly StoredField[]): string {
  return fields.map(({ name }) => name).join(", ");
}

function pageIssues(
  parameter: "offset" | "skip",
  limit = DEFAULT_LIMIT,
  count = 0,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.pageSize)) {
    const detail = `must be a whole number from 1 to ${LIMITS.pageSize}`;
    issues.push({ parameter: "limit", detail });
  }
  if (!(Number.isSafeInteger(count) && count >= 0)) {
    issues.push({ parameter, detail: "must be a whole number from 0 to 2^53 - 1" });
  }
  return issues;
}

export function historyIssues(
  { limit, skip }: Pick<HistoryOptions, "limit" | "skip">,
): readonly ValidationIssue[] {
  return pageIssues("skip", limit, skip);
}

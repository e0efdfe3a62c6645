/** Reads searches: what is valid becomes SQL, and everything else is reported. */
import {
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../../../lib/client/backend.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import type { KnownOperator } from "../../../lib/fields.ts";
import { plainSearch } from "../../../lib/search/match_file_sets.ts";
import type { DateFilter, Filter, SearchInput } from "../../../lib/types.ts";
import { throwIfInvalid, type ValidationIssue } from "../../http/problem.ts";
import type { Shape } from "../../http/shape.ts";
import type { Sql } from "../database/sql.ts";
import { CONDITIONS, isInRange, negate, type SortKey } from "./conditions.ts";
import { FIELDS, ID, type StoredField } from "./fields.ts";
import { PAGE_LIMIT, PAGE_START, SEARCH_BODY } from "./search_body.ts";

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
  throwIfInvalid(searchIssues(input, options));
  const { fieldSort = [], filters = [], dateFilters = [] } = plainSearch(input);
  const { limit = DEFAULT_LIMIT, offset = 0 } = options;
  const sort = fieldSort.map(({ field, order }) => ({
    field: storedFieldNamed(field),
    isDescending: order === "DESC",
  }));
  const conditions = [...filters.map(filterCondition), ...dateFilters.map(dateCondition)];
  return { conditions, sort, limit, offset };
}

/** A page's search without the words that its dates were computed from, which no service is sent. */
function withoutRanges({ dateFilters, ...search }: SearchInput): SearchInput {
  if (!dateFilters) return { ...search, dateFilters };
  return {
    ...search,
    dateFilters: dateFilters.map((filter) => {
      const { range: _, ...sent } = filter as typeof filter & { readonly range?: string };
      return sent;
    }),
  };
}

function searchIssues(
  input: SearchInput,
  { limit, offset }: PageOptions,
): readonly ValidationIssue[] {
  const issues = pageIssues({ limit: [PAGE_LIMIT, limit], offset: [PAGE_START, offset] });
  SEARCH_BODY.read(withoutRanges(input), "", issues);
  return issues;
}

export function historyIssues(
  { limit, skip }: Pick<HistoryOptions, "limit" | "skip">,
): readonly ValidationIssue[] {
  return pageIssues({ limit: [PAGE_LIMIT, limit], skip: [PAGE_START, skip] });
}

function pageIssues(
  parameters: Readonly<Record<string, readonly [Shape<number>, number | undefined]>>,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const [parameter, [shape, number]] of Object.entries(parameters)) {
    const found: ValidationIssue[] = [];
    if (number !== undefined) shape.read(number, "", found);
    issues.push(...found.map(({ detail }) => ({ parameter, detail })));
  }
  return issues;
}

function storedFieldNamed(name: string): StoredField {
  return FIELDS.find((each) => each.name === name)!;
}

function filterCondition({ field: name, operator, value = [], not }: Filter): FieldCondition {
  const field = storedFieldNamed(name);
  const known = (operator ?? "EQUALS") as KnownOperator;
  const values = new Set(value.map((text) => toStored(field, String(text))));
  const isLookup = field === ID && !not && ["EQUALS", "IN"].includes(known);
  const holds = CONDITIONS[known](field, [...values]);
  return { field, holds: not ? negate(holds) : holds, isLookup };
}

function dateCondition({ field: name, start, end, not }: DateFilter): FieldCondition {
  const field = storedFieldNamed(name);
  const [from, to] = [start, end].map((text) =>
    text === undefined ? undefined : readDateTime(text).ms
  );
  const holds = isInRange(field, from, to);
  return { field, holds: not ? negate(holds) : holds, isLookup: false };
}

function toStored({ kind }: StoredField, text: string): string | number {
  if (kind === "string") return text;
  return kind === "date-time" ? readDateTime(text).ms! : Number(text);
}

/** Searches file sets, and counts their facets. */
import {
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../../../lib/client/backend.ts";
import type { DateOptions } from "../../../lib/search/date_ranges.ts";
import {
  type Facet,
  type FacetQuestion,
  facetQuestions,
  type Facets,
  MAX_FACET_VALUES,
  toValueFacet,
} from "../../../lib/search/facets.ts";
import type {
  DateFilter,
  Filter,
  PageContext,
  SearchBody,
  SearchInput,
} from "../../../lib/types.ts";
import { readVersion } from "../runs/histories.ts";
import type { Database, ReadOptions } from "../database/database.ts";
import { all, join, name, perSystem, type Sql, sql } from "../database/sql.ts";
import {
  CONDITIONS,
  FIELDS,
  ID,
  isInRange,
  negate,
  orderBy,
  type SortKey,
  type StoredField,
} from "./conditions.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import type { KnownOperator } from "../../../lib/fields.ts";
import { plainSearch } from "../../../lib/search/match_file_sets.ts";
import { throwIfInvalid, type ValidationIssue } from "../../http/problem.ts";
import type { Shape } from "../../http/shape.ts";
import { PAGE_LIMIT, PAGE_START, SEARCH_BODY } from "./search_body.ts";

/** Every 256th row calls `alive()`, which ends the statement when nobody waits: so it comes first. */
const ALIVE = perSystem({ sqlite: sql`(key & 255 OR alive())`, postgresql: sql`TRUE` });

function meets(conditions: readonly FieldCondition[]): Sql {
  return all([ALIVE, ...conditions.map(({ holds }) => holds)]);
}

function countStatement(conditions: readonly FieldCondition[]): Sql {
  // SQLite counts a whole table in no time.
  if (conditions.length === 0) return sql`SELECT count(*) AS total FROM file_sets`;
  return sql`SELECT count(*) AS total FROM file_sets WHERE ${meets(conditions)}`;
}

/** The texts of a column, with commas between them. */
const joined = (column: Sql) =>
  perSystem({
    sqlite: sql`group_concat(${column}, ',')`,
    postgresql: sql`string_agg(${column}, ',')`,
  });

interface Page {
  /** The JSON of the file sets; null for none. */
  readonly texts: string | null;
  readonly found: number;
  readonly total: number;
}

/** One page. The keys are sorted alone, and only that page's rows are read; all that match are counted. */
function pageStatement({ conditions, sort, limit, offset }: SearchSpec): Sql {
  return sql`WITH page AS MATERIALIZED (SELECT key FROM file_sets WHERE ${meets(conditions)}
    ORDER BY ${orderBy(sort)} LIMIT ${limit} OFFSET ${offset})
    SELECT ${joined(sql`json`)} AS texts, count(*) AS found,
      (${countStatement(conditions)}) AS total
    FROM (SELECT (SELECT json FROM file_set_json WHERE file_set_json.key = page.key) AS json
      FROM page) AS texts`;
}

/** Searches, and answers with JSON as the interface has it. */
export async function searchFileSets(
  database: Database,
  body: SearchInput = {},
  { signal, ...options }: SearchOptions = {},
): Promise<string> {
  const search = readSearch(body, options);
  const { conditions, limit, offset } = search;
  const lane = conditions.some(({ isLookup }) => isLookup) ? "lookup" : "search";
  const [page] = await database.read<Page>(pageStatement(search), { lane, signal });
  const { texts, found, total } = page;
  const end = offset + found;
  const next = found > 0 && end < total ? String(end) : "";
  const pageContext: PageContext = { next, offset, limit, total };
  return `{"fileSets":[${texts ?? ""}],"pageContext":${JSON.stringify(pageContext)}}`;
}

interface FacetOptions extends DateOptions, Pick<ReadOptions, "signal"> {
  /** With more file sets than this, facets are not counted. Default: 300,000. */
  readonly most?: number;
}

/**
 * Counts the facets of searches; null if there are too many file sets to count them. Those of all file
 * sets, which every visit begins with, are kept until one changes or another day begins.
 */
export function facetsOn(
  database: Database,
): (body: SearchBody, options: FacetOptions) => Promise<Facets | null> {
  let kept: { readonly key: string; readonly facets: Facets } | null = null;
  return async (body, { signal, most = 300_000, ...dates }) => {
    const { conditions } = readSearch(body);
    const questions = facetQuestions(dates);
    const count = () => countFacets(database, { conditions, questions, most, signal });
    if (conditions.length > 0) return await count();
    // Read before counting: a change in between has another version, so these are counted again.
    const key = JSON.stringify([await readVersion(database, "file_sets"), questions]);
    if (kept?.key === key) return kept.facets;
    const facets = await count();
    // A page that found too many must not replace what its script counted before.
    if (facets) kept = { key, facets };
    return facets;
  };
}

async function countFacets(
  database: Database,
  { conditions, questions, most, signal }: Pick<ReadOptions, "signal"> & {
    readonly conditions: readonly FieldCondition[];
    readonly questions: readonly FacetQuestion[];
    readonly most: number;
  },
): Promise<Facets | null> {
  const options: ReadOptions = { lane: "search", signal };
  const [{ total }] = await database.read<{ total: number }>(countStatement([]), options);
  if (total > most) return null;
  const facets: Facet[] = [];
  // One after the other, so that other searches get their turn.
  for (const question of questions) {
    // A facet counts all that meet the conditions on other fields.
    const others = conditions.filter(({ field }) => field.name !== question.field);
    facets.push(await countFacet(database, question, others, options));
  }
  return { rows: null, facets };
}

async function countFacet(
  database: Database,
  { field, conditions }: FacetQuestion,
  others: readonly FieldCondition[],
  options: ReadOptions,
): Promise<Facet> {
  if (conditions) {
    const filters = conditions.filter((condition) => "operator" in condition);
    const dateFilters = conditions.filter((condition) => !("operator" in condition));
    const inSql = readSearch({ filters, dateFilters }).conditions;
    const counts = inSql.map(({ holds }, at) =>
      sql`count(CASE WHEN ${holds} THEN 1 END) AS ${name(`count${at}`)}`
    );
    const [row] = await database.read<Record<string, number>>(
      sql`SELECT ${join(counts, ", ")} FROM file_sets WHERE ${meets(others)}`,
      options,
    );
    const result = conditions.map((condition, at) => ({ condition, count: row[`count${at}`] }));
    return { field, options: result, others: 0 };
  }
  const column = name(FIELDS.find(({ name }) => name === field)!.column);
  const rows = await database.read<{ value: string | null; counted: number; total: number }>(
    sql`SELECT ${column} AS value, count(*) AS counted,
      CAST(sum(count(*)) OVER () AS bigint) AS total FROM file_sets WHERE ${meets(others)}
      GROUP BY ${column} ORDER BY counted DESC, ${column} NULLS FIRST LIMIT ${
      MAX_FACET_VALUES + 1
    }`,
    options,
  );
  const values = rows.map(({ value, counted }) => [value, counted] as const);
  return toValueFacet(field, values, rows[0]?.total ?? 0);
}

interface SearchSpec {
  readonly conditions: readonly FieldCondition[];
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
}

interface FieldCondition {
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

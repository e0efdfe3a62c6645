/** Filters and sorts file sets that were read, as Docket's embedded service would. */
import { readDateTime } from "../date_times.ts";
import { FILE_SET_FIELDS, OPERATORS, ORDERS } from "../fields.ts";
import { wholeNumber } from "../format.ts";
import type { FileSet, SearchBody, SearchInput } from "../types.ts";
import { compareValues, type FilterValue, valueTest } from "./compare_values.ts";
import { rangeTest } from "./date_ranges.ts";
import { plainSearch } from "./plain_search.ts";

/**
 * The file sets that match a search, in its order, as Docket's embedded service finds them: all
 * conditions must hold, each with any of its values. A negated condition keeps file sets without a
 * value. `LIKE` finds a part of a text in any case. A date range includes its start and excludes its
 * end. In ascending order, file sets without a value come first, texts are ordered by code points,
 * and ties by id. Fields that the interface does not name can be used, too.
 *
 * @param fileSets The file sets.
 * @param body The search.
 * @returns The file sets that match.
 * @throws {RangeError} If a field, an operator, an order or a value is not valid.
 *
 * @example
 * ```ts
 * import { matchFileSets, parseSearchQuery } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const fileSets = [{ id: "a", name: "Payroll" }, { id: "b", name: "Invoices" }];
 * assertEquals(matchFileSets(fileSets, parseSearchQuery("PAY").body), [fileSets[0]]);
 * ```
 */
export function matchFileSets<Row extends FileSet>(
  fileSets: readonly Row[],
  body: SearchInput,
): readonly Row[] {
  const { filters = [], dateFilters = [], fieldSort = [] } = plainSearch(body);
  const [issue] = matchIssues({ filters, dateFilters, fieldSort }, fileSets);
  if (issue) throw new RangeError(issue);
  const conditions = [
    ...filters.map(({ field, operator = "EQUALS", value = [], not = false }) => {
      const wanted = isDate(field) ? value.map((text) => String(readDateTime(text).ms)) : value;
      const isMatch = operator === "IS_NULL" ? () => false : valueTest(operator, wanted);
      return (row: FileSet) => {
        const own = valueOf(row, field);
        return (own === undefined ? operator === "IS_NULL" : isMatch(own)) !== not;
      };
    }),
    ...dateFilters.map(({ field, not = false, ...range }) => {
      const isInRange = rangeTest(range);
      return (row: FileSet) => isInRange(timeOf(valueOf(row, field)) ?? NaN) !== not;
    }),
  ];
  const matches = fileSets.filter((row) => conditions.every((holds) => holds(row)));
  if (fieldSort.length === 0) return matches;
  const keys = [...fieldSort, { field: "id", order: "ASC" }];
  const signs = keys.map(({ order }) => order === "DESC" ? -1 : 1);
  return matches
    .map((row) => ({ row, values: keys.map(({ field }) => valueOf(row, field)) }))
    .sort((a, b) => {
      for (let at = 0; at < signs.length; at++) {
        const order = compareValues(a.values[at], b.values[at]);
        if (order !== 0) return order * signs[at];
      }
      return 0;
    })
    .map(({ row }) => row);
}

/** Sentences that say what is not valid in a search among these file sets. */
export function matchIssues(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
  fileSets: readonly FileSet[] = [],
): string[] {
  const isUnknown = (field: string) =>
    kindOf(field) === undefined && fileSets.length > 0 &&
    fileSets.every((row) => valueOf(row, field) === undefined);
  const unknown = [...filters, ...dateFilters, ...fieldSort].map(({ field }) => field)
    .filter(isUnknown).map((field) => `No file set has a field ${field}`);
  const known: readonly string[] = OPERATORS;
  return [
    ...unknown,
    ...filters.flatMap(({ field, operator = "EQUALS", value = [] }) => {
      const kind = kindOf(field) ?? "string";
      if (!known.includes(operator)) return `Docket does not know ${operator} itself`;
      if (operator === "IS_NULL") return value.length > 0 ? `${field} IS_NULL takes no value` : [];
      if (value.length === 0) return `${field} ${operator} needs a value`;
      if (operator === "LIKE" && kind !== "string") return `${field} does not take LIKE`;
      return value.flatMap((text) =>
        kind === "date-time"
          ? dateIssue(field, text)
          : kind === "integer" && wholeNumber(text) === null
          ? `${field} must be a whole number, not ${text}`
          : []
      );
    }),
    ...dateFilters.flatMap(({ field, start, end }) =>
      start === undefined && end === undefined
        ? `${field} needs a start, an end, or both`
        : [start ?? [], end ?? []].flat().flatMap((text) => dateIssue(field, text))
    ),
    ...fieldSort.map(({ order = "ASC" }) => order)
      .filter((order) => !(ORDERS as readonly string[]).includes(order))
      .map((order) => `Docket does not know ${order} itself`),
  ];
}

function dateIssue(field: string, text: string): string[] {
  const { issue } = readDateTime(text);
  return issue === undefined ? [] : [`${field}: ${text} ${issue}`];
}

function kindOf(field: string) {
  return Object.hasOwn(FILE_SET_FIELDS, field)
    ? FILE_SET_FIELDS[field as keyof FileSet].kind
    : undefined;
}

function isDate(field: string): boolean {
  return kindOf(field) === "date-time";
}

/** A field's value: dates as milliseconds since 1970; undefined if there is none. */
function valueOf(row: FileSet, field: string): FilterValue | undefined {
  const value = (row as unknown as Record<string, FilterValue | null | undefined>)[field] ??
    undefined;
  return isDate(field) ? timeOf(value) : value;
}

/** Milliseconds since 1970; a time without a zone is in UTC. */
function timeOf(value: FilterValue | undefined): number | undefined {
  if (typeof value !== "string") return value as number | undefined;
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}

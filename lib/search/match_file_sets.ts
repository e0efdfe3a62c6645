/** Filters and sorts file sets that were read, as Docket's embedded service would. */
import { type Field, FILE_SET_FIELDS } from "../fields.ts";
import type { FileSet, SearchBody, SearchInput } from "../types.ts";
import { type FilterValue, rowTest, searchIssues, sortRows } from "./match_rows.ts";

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
  const search = plainSearch(body);
  const [issue] = matchIssues(search, fileSets);
  if (issue) throw new RangeError(issue);
  const found = fileSets.filter(rowTest(search, readValues, fieldKind));
  const { fieldSort } = search;
  return fieldSort ? sortRows(found, [...fieldSort, { field: "id" }], readValues) : found;
}

/**
 * Sentences that say what is not valid in a search. A field that the interface does not name is valid
 * if one of the file sets has it, or if there are none.
 */
export function matchIssues(
  search: SearchBody,
  fileSets: readonly FileSet[] = [],
  operators?: readonly string[],
  orders?: readonly string[],
): string[] {
  const { filters = [], dateFilters = [], fieldSort = [] } = search;
  const names = [...filters, ...dateFilters, ...fieldSort].map(({ field }) => field);
  const unknown = names.filter((name) =>
    fieldKind(name) === undefined && fileSets.length > 0 &&
    fileSets.every((row) => readValues(row, name).length === 0)
  );
  return [
    ...unknown.map((name) => `No file set has a field ${name}`),
    ...searchIssues(search, fieldKind, operators, orders),
  ];
}

function fieldKind(field: string) {
  return (FILE_SET_FIELDS as Readonly<Record<string, Field | undefined>>)[field]?.kind;
}

function readValues(row: FileSet, field: string): readonly FilterValue[] {
  const value = (row as unknown as Record<string, FilterValue | null | undefined>)[field];
  if (value === undefined || value === null) return [];
  if (fieldKind(field) !== "date-time") return [value];
  const text = String(value).trim();
  // A time without a zone is in UTC.
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? [] : [time];
}

/** A search without nulls, and with its values as texts. Invalid parts may be undefined. */
export function plainSearch({ fieldSort, filters, dateFilters }: SearchInput): SearchBody {
  return withoutNulls({
    fieldSort: fieldSort?.map(withoutNulls),
    filters: filters?.map((filter) =>
      filter &&
      withoutNulls({
        ...filter,
        value: filter.value?.map((value) => value === undefined ? value : String(value)),
      })
    ),
    dateFilters: dateFilters?.map(withoutNulls),
  });
}

// deno-lint-ignore no-explicit-any -- the type of each part without nulls
function withoutNulls(part: object): any {
  return part && Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== null && value !== undefined),
  );
}

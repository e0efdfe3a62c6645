/** Facets: values that narrow a search, each with the number of file sets that have it. */
import { dayIn } from "../days.ts";
import type { DateFilter, FileSetField, Filter } from "../types.ts";
import type { DateOptions } from "./date_ranges.ts";
import { FILE_SET_QUERY } from "./query_table.ts";
import { parseSearchQuery } from "./search_query.ts";

export interface FacetOption {
  /** The condition; only a date condition has no operator. */
  readonly condition: Filter | DateFilter;
  readonly count: number;
}

export interface Facet {
  readonly field: FileSetField;
  /** Its conditions: the most frequent values, or fixed ranges that may overlap. */
  readonly options: readonly FacetOption[];
  /** Number of file sets with other values; 0 for ranges. */
  readonly others: number;
}

export interface Facets {
  /**
   * Number of rows that were counted; null if each facet counted every file set that meets all
   * conditions but those on its own field.
   */
  readonly rows: number | null;
  readonly facets: readonly Facet[];
}

export interface FacetQuestion {
  readonly field: FileSetField;
  /** The conditions to count. By default, the field's most frequent values are counted. */
  readonly conditions?: readonly (Filter | DateFilter)[];
}

export const MAX_FACET_VALUES = 10;

/** The facets of file sets, in reading order. */
export function facetQuestions(options: DateOptions = {}): FacetQuestion[] {
  const { now = Date.now(), zone = "UTC" } = options;
  const before = Number(dayIn(zone)(now).slice(0, 4)) - 2;
  const dates = ["last-7-days", "last-30-days", "this-year", "last-year", `..${before}`];
  const counts = ["0", ">=1", ">=10", ">=100", ">=1000", ">=10000"];
  const question = (field: FileSetField, values: readonly string[]) => ({
    field,
    conditions: values.flatMap((value) => {
      const query = `${FILE_SET_QUERY.fields[field].name}:${value}`;
      const { filters, dateFilters } = parseSearchQuery(query, { now, zone }).body;
      return filters ?? dateFilters ?? [];
    }),
  });
  return [
    { field: "owner" },
    { field: "permission" },
    question("updated", dates),
    question("created", dates),
    question("fileCount", counts),
  ];
}

/** A facet of the most frequent values, which come first in `counts`; `total` counts all rows. */
export function toValueFacet(
  field: FileSetField,
  counts: readonly (readonly [value: string | number | null, count: number])[],
  total: number = counts.reduce((sum, [, count]) => sum + count, 0),
): Facet {
  const options = counts.slice(0, MAX_FACET_VALUES)
    .filter(([value]) => String(value).length <= MAX_CHARACTERS)
    .map(([value, count]) => ({ condition: valueCondition(field, value), count }));
  return {
    field,
    options,
    others: total - options.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Longer values would make links too long. */
const MAX_CHARACTERS = 200;

function valueCondition(
  field: string,
  value: string | number | null | undefined,
): Filter {
  return value === null || value === undefined
    ? { field, operator: "IS_NULL", value: [] }
    : { field, operator: "EQUALS", value: [String(value)] };
}

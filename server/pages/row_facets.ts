/** The facets of the rows on a page, where all that match can't be counted. */
import type { DateOptions } from "../../lib/search/date_ranges.ts";
import { facetQuestions, type Facets, toValueFacet } from "../../lib/search/facets.ts";
import { matchFileSets } from "../../lib/search/match_file_sets.ts";
import type { FileSet } from "../../lib/types.ts";

export function countRowFacets(
  fileSets: readonly FileSet[],
  options: DateOptions = {},
): Facets {
  return {
    rows: fileSets.length,
    facets: facetQuestions(options).map(({ field, conditions }) =>
      conditions
        ? {
          field,
          options: conditions.map((condition) => {
            const body = { ["operator" in condition ? "filters" : "dateFilters"]: [condition] };
            return { condition, count: matchFileSets(fileSets, body).length };
          }),
          others: 0,
        }
        : toValueFacet(field, countValues(fileSets.map((fileSet) => fileSet[field] ?? null)))
    ),
  };
}

function countValues<Value>(values: readonly Value[]): [Value, number][] {
  const counts = [...Map.groupBy(values, (value) => value)]
    .map(([value, { length }]): [Value, number] => [value, length]);
  return counts.sort(([a, many], [b, few]) => few - many || (String(a) < String(b) ? -1 : 1));
}

/** What a search must answer, by lib's own matching of an array. */
import type { DateOptions } from "../../../lib/search/date_ranges.ts";
import { type Facet, facetQuestions, toValueFacet } from "../../../lib/search/facets.ts";
import { matchFileSets } from "../../../lib/search/match_file_sets.ts";
import { compareValues } from "../../../lib/search/match_rows.ts";
import type { FileSet, FileSetPage, SearchBody } from "../../../lib/types.ts";

/** Answers a valid search over all rows. */
export function modelSearch(
  all: readonly FileSet[],
  body: SearchBody,
  { limit = 100, offset = 0 }: { limit?: number; offset?: number } = {},
): FileSetPage {
  const { fieldSort = [] } = body;
  const matching = matchFileSets(all, { ...body, fieldSort: [...fieldSort, { field: "id" }] });
  const fileSets = matching.slice(offset, offset + limit);
  const end = offset + fileSets.length;
  const next = fileSets.length > 0 && end < matching.length ? String(end) : "";
  return { fileSets, pageContext: { next, offset, limit, total: matching.length } };
}

/** The facets of a valid search over all rows. */
export function modelFacets(
  all: readonly FileSet[],
  { filters = [], dateFilters = [] }: SearchBody,
  dates: DateOptions,
): readonly Facet[] {
  return facetQuestions(dates).map(({ field, conditions }) => {
    const rows = matchFileSets(all, {
      filters: filters.filter((filter) => filter.field !== field),
      dateFilters: dateFilters.filter((filter) => filter.field !== field),
    });
    if (conditions) {
      const options = conditions.map((condition) => {
        const body = { ["operator" in condition ? "filters" : "dateFilters"]: [condition] };
        return { condition, count: matchFileSets(rows, body).length };
      });
      return { field, options, others: 0 };
    }
    const counts = [...Map.groupBy(rows, (row) => row[field] ?? undefined)]
      .sort(([a, many], [b, few]) => few.length - many.length || compareValues(a, b))
      .map(([value, { length }]) => [value ?? null, length] as const);
    return toValueFacet(field, counts, rows.length);
  });
}

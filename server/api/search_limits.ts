import type { ParameterIssue } from "../../lib/search/search_url.ts";
import type { SearchBody } from "../../lib/types.ts";
import { LIMITS } from "../store/search/validate.ts";

/** The issues of a link's search that exceeds the API's limits, which hold for any service. */
export function searchLimitIssues(body: SearchBody): readonly ParameterIssue[] {
  const { filters = [], dateFilters = [], fieldSort = [] } = body;
  const counts = [
    { parameter: "filter", count: filters.length, max: LIMITS.filters },
    { parameter: "date", count: dateFilters.length, max: LIMITS.dateFilters },
    { parameter: "sort", count: fieldSort.length, max: LIMITS.sortKeys },
  ];
  return counts.filter(({ count, max }) => count > max).map(({ parameter, count, max }) => ({
    parameter,
    detail: `must be given at most ${max} times, not ${count}`,
  }));
}

import type { NamedSearchBody } from "./search_url.ts";

/**
 * Joins searches: finds what all of them find. The sort keys of the first are the most significant,
 * and lists without anything in them are left out.
 */
export function joinSearches(...bodies: readonly NamedSearchBody[]): NamedSearchBody {
  const fieldSort = bodies.flatMap(({ fieldSort = [] }) => fieldSort);
  const filters = bodies.flatMap(({ filters = [] }) => filters);
  const dateFilters = bodies.flatMap(({ dateFilters = [] }) => dateFilters);
  return {
    ...(fieldSort.length > 0 ? { fieldSort } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(dateFilters.length > 0 ? { dateFilters } : {}),
  };
}

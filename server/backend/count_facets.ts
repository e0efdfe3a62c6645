/** Counts facets for a page, if there are not too many file sets. */
import type { Facets } from "../../lib/search/facets.ts";
import type { SearchBody } from "../../lib/types.ts";
import type { FacetOptions } from "../store/file_sets/search.ts";
import type { Store } from "../store/store.ts";

/** With more file sets, a page shows the facets of its rows, which are there much sooner. */
const MOST = 20_000;

/** The facets of a search; null if there are too many. The search itself shows any error. */
export async function countFacets(
  store: Store,
  body: SearchBody,
  options: FacetOptions,
): Promise<Facets | null> {
  try {
    return await store.facets(body, { ...options, most: MOST });
  } catch {
    return null;
  }
}

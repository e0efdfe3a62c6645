/** Facets for a page, which does not wait long for them. */
import type { Facets } from "../../lib/search/facets.ts";
import type { SearchBody } from "../../lib/types.ts";
import type { FacetOptions } from "../store/search/search_file_sets.ts";
import type { Store } from "../store/store.ts";

/** How long a page waits for all facets. Then it shows those of its rows, and loads the rest later. */
const LONGEST_WAIT_MS = 300;

/** The facets of a search; null if they can't be counted in time. The rows show any error. */
export async function countFacets(
  store: Store,
  body: SearchBody,
  { signal, ...dates }: FacetOptions & { readonly signal: AbortSignal },
): Promise<Facets | null> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
  try {
    return await store.facets(body, { ...dates, signal: inTime });
  } catch {
    return null;
  }
}

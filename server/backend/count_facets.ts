/** Counts facets for a page, if that does not take long. */
import type { Facets } from "../../lib/search/facets.ts";
import type { SearchBody } from "../../lib/types.ts";
import type { FacetOptions } from "../store/file_sets/search.ts";
import type { Store } from "../store/store.ts";

/** How long a page waits for facets. After that, it shows those of its rows, and loads all later. */
const MAX_WAIT_MS = 300;

/** With more file sets, a page does not wait at all: its own rows are there much sooner. */
const MOST = 20_000;

/** The facets of a search; null if they can't be counted in time. The search itself shows any error. */
export async function countFacets(
  store: Store,
  body: SearchBody,
  { signal, ...dates }: FacetOptions & { readonly signal: AbortSignal },
): Promise<Facets | null> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  try {
    return await store.facets(body, { ...dates, signal: inTime, most: MOST });
  } catch {
    return null;
  }
}

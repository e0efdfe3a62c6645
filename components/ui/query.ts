import { formatSearchUrl, type SearchView } from "../../lib/search/search_url.ts";

/** A path with query parameters. Signs that need no encoding in a query are not encoded. */
export function withQuery(path: string, params: URLSearchParams): string {
  const query = String(params).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%21", "!")
    .replaceAll("%2F", "/");
  return query ? `${path}?${query}` : path;
}

export function exportPath(
  path: string,
  { body, columns }: Pick<SearchView, "body" | "columns">,
  format: string,
): string {
  const params = formatSearchUrl({ body, ...(columns ? { columns } : {}) });
  params.set("format", format);
  return withQuery(`${path}/export`, params);
}

/** A page repeats longer links only a few times, not once for each condition or facet. */
const LONGEST_REPEATED = 1000;

export function isTooLongToRepeat(href: string): boolean {
  return href.length > LONGEST_REPEATED;
}

export const MAX_TEXT = 100;

/** A text to filter by, from a link, as databases take it; empty if it has none. */
export function filterText(params: URLSearchParams, name: string): string {
  return params.get(name)?.replaceAll("\0", "").trim().slice(0, MAX_TEXT).toWellFormed() ?? "";
}

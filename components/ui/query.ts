/** A path with query parameters. Characters that are safe in a query stay readable. */
export function withQuery(path: string, params: URLSearchParams): string {
  const query = String(params).replace(/%(2C|2F|3A|40|7E)/g, decodeURIComponent);
  return query ? `${path}?${query}` : path;
}

/** Longer links are not repeated for each condition or facet of a page. */
const LONGEST_REPEATED = 1000;

export function isTooLongToRepeat(href: string): boolean {
  return href.length > LONGEST_REPEATED;
}

export const MAX_TEXT = 100;

/** The text to filter by in a link, without what databases reject; empty if there is none. */
export function filterText(params: URLSearchParams, name: string): string {
  return params.get(name)?.replaceAll("\0", "").trim().slice(0, MAX_TEXT).toWellFormed() ?? "";
}

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

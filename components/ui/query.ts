/** A path with query parameters. Characters that are safe in a query stay readable. */
export function withQuery(path: string, params: URLSearchParams): string {
  const query = String(params).replace(/%(2C|2F|3A|40|7E)/g, decodeURIComponent);
  return query ? `${path}?${query}` : path;
}

/** Longer links are not repeated for each facet of a page. */
const LONGEST_REPEATED = 1000;

export function isTooLongToRepeat(href: string): boolean {
  return href.length > LONGEST_REPEATED;
}

/** A path with those of the values that are set. */
export function withValues(
  path: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  const set = Object.entries(values).filter(([, value]) => value);
  return withQuery(path, new URLSearchParams(set.map(([name, value]) => [name, String(value)])));
}

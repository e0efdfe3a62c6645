/** A path with query parameters. Characters that are safe in a query stay readable. */
export function withQuery(path: string, params: URLSearchParams): string {
  const query = String(params).replace(/%(2C|2F|3A|40|7E)/g, decodeURIComponent);
  return query ? `${path}?${query}` : path;
}

/** A path with those of the values that are set. */
export function withValues(
  path: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  const set = Object.entries(values).filter(([, value]) => value);
  return withQuery(path, new URLSearchParams(set.map(([name, value]) => [name, String(value)])));
}

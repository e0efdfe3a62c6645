/** A path with query parameters. Signs that need no encoding in a query are not encoded. */
export function withQuery(path: string, params: URLSearchParams): string {
  const query = String(params).replace(/%(3A|2C|21|2F)/g, decodeURIComponent);
  return query ? `${path}?${query}` : path;
}

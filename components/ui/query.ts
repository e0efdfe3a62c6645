/** A path with query parameters. Signs that need no encoding in a query are not encoded. */
export function withQuery(path: string, params: URLSearchParams): string {
  const query = String(params)
    .replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%21", "!").replaceAll("%2F", "/");
  return query ? `${path}?${query}` : path;
}

/** The pattern of a path for the log: ids are left out, as an unknown path is altogether. */
export function routePattern(pathname: string): string {
  return pathname
    .split("/")
    .map((part) => /^[a-z][a-z0-9_.-]{0,39}$/i.test(part) || part === "" ? part : ":id")
    .join("/");
}

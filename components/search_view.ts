/** Moves from one view of file sets to another: each is a link, and each begins at the first page. */
import { formatSearchUrl, type SearchView } from "../lib/search_url.ts";
import type { FieldSort, SearchBody } from "../lib/types.ts";

/** The page that shows a view. */
export function fileSetsHref(view: SearchView): string {
  // Colons, commas and exclamation marks may stand in a query as they are, and read better so.
  const query = String(formatSearchUrl(view))
    .replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%21", "!");
  return query ? `/filesets?${query}` : "/filesets";
}

/** The view with another search, at its first page. */
export function withBody(view: SearchView, body: SearchBody): SearchView {
  const { offset: _offset, ...rest } = view;
  return { ...rest, body };
}

/** The view without one of its conditions or sort keys. */
export function without(
  view: SearchView,
  member: "filters" | "dateFilters" | "fieldSort",
  index: number,
): SearchView {
  const kept = (view.body[member] ?? []).filter((_, at) => at !== index);
  return withBody(view, { ...view.body, [member]: kept });
}

/** The view at another offset. */
export function atOffset(view: SearchView, offset: number): SearchView {
  const { offset: _offset, ...rest } = view;
  return offset > 0 ? { ...rest, offset } : rest;
}

/** The view sorted by a column's header: ascending first, then descending, then no longer. */
export function sortedBy(view: SearchView, field: string): SearchView {
  const [first] = view.body.fieldSort ?? [];
  const next: FieldSort[] = first?.field !== field
    ? [{ field, order: "ASC" }]
    : first.order === "DESC"
    ? []
    : [{ field, order: "DESC" }];
  return withBody(view, { ...view.body, fieldSort: next });
}

/** Views of a page with a search, and how they change. Each starts at the first page of rows. */
import type { QueryTable } from "../../lib/search/query_table.ts";
import { formatSearchUrl, type SearchView } from "../../lib/search/search_url.ts";
import type { FieldSort, SearchBody } from "../../lib/types.ts";

export interface ShownSearch extends SearchView {
  readonly q?: string;
  readonly open?: string;
}

export interface SearchedRows {
  readonly table: QueryTable;
  readonly columns: readonly string[];
  /** Whether rows may have further fields, which can be columns as well. */
  readonly mayHaveMore?: true;
  readonly defaultColumns: readonly string[];
  readonly fixedColumn?: string;
  /** Parameters of these rows' links that other searches lack. */
  readonly parameters: readonly string[];
}

export interface SearchPage extends Pick<SearchedRows, "table"> {
  readonly view: ShownSearch;
  readonly href: (view: ShownSearch) => string;
  readonly zone: string;
  readonly names?: ReadonlyMap<number, string>;
}

export function formatPageView(view: ShownSearch): URLSearchParams {
  const { q, body, ...rest } = view;
  const params = formatSearchUrl({ ...rest, body: q === undefined ? body : {} });
  if (q !== undefined) params.set("q", q);
  if (view.open) params.set("open", view.open);
  return params;
}

export function withBody<View extends ShownSearch>(view: View, body: SearchBody): View {
  const { offset: _offset, skip: _skip, open: _open, q: _q, ...rest } = view;
  return { ...rest, body } as View;
}

/** The view sorted by a field alone: ascending, then descending, then unsorted. */
export function sortedBy<View extends ShownSearch>(view: View, field: string): View {
  const sort = view.body.fieldSort ?? [];
  const next = nextOrder(sort.length === 1 ? sort[0] : undefined, field);
  return withBody(view, { ...view.body, fieldSort: next ? [{ field, order: next }] : [] });
}

/** The view with a field among its sort keys: ascending, then descending, then removed. */
export function sortedAlsoBy<View extends ShownSearch>(view: View, field: string): View {
  const sort = view.body.fieldSort ?? [];
  const present = sort.find((key) => key.field === field);
  const next = nextOrder(present, field);
  const fieldSort: FieldSort[] = !present
    ? [...sort, { field, order: "ASC" }]
    : sort.flatMap((key) => key !== present ? [key] : next ? [{ field, order: next }] : []);
  return withBody(view, { ...view.body, fieldSort });
}

function nextOrder(key: FieldSort | undefined, field: string): "ASC" | "DESC" | null {
  if (key?.field !== field) return "ASC";
  return key.order === "DESC" ? null : "DESC";
}

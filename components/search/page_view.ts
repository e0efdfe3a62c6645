/** Views of a page with a search, and how they change. Each starts at the first page of rows. */
import { quotePart } from "../../lib/search/query_parts.ts";
import type { QueryTable } from "../../lib/search/query_table.ts";
import { formatSearchQuery, formatSort } from "../../lib/search/search_query_format.ts";
import type { FieldSort, SearchBody } from "../../lib/types.ts";
import { withQuery } from "../ui/query.ts";

/** What a link shows: a search, which of its rows, and which columns. */
export interface ShownSearch {
  /** The search; the empty object matches everything. */
  readonly body: SearchBody;
  readonly limit?: number;
  readonly offset?: number;
  readonly skip?: number;
  readonly columns?: readonly string[];
  readonly open?: string;
}

export interface SearchedRows {
  readonly table: QueryTable;
  readonly columns: readonly string[];
  /** Whether rows may have further fields, which can be columns as well. */
  readonly mayHaveMore?: true;
  readonly defaultColumns: readonly string[];
  readonly fixedColumn?: string;
  /** How many rows a page has unless a link says otherwise. */
  readonly defaultLimit?: number;
  /** Parameters of these rows' links that other searches lack. */
  readonly parameters: readonly string[];
}

export interface SearchPage extends Pick<SearchedRows, "table"> {
  readonly view: ShownSearch;
  readonly href: (view: ShownSearch) => string;
  readonly zone: string;
  readonly names?: ReadonlyMap<number, string>;
}

/** Writes a view as a link's parameters: `q=owner:Finance&sort=-updated&columns=name,owner`. */
export function formatPageView<View extends ShownSearch>(
  { body, limit, offset, skip, columns = [], ...others }: View,
  table: QueryTable,
): URLSearchParams {
  const { fieldSort = [], ...conditions } = body;
  const parameters = {
    q: formatSearchQuery(conditions, table),
    sort: formatSort(fieldSort, table),
    ...{ limit, offset, skip },
    columns: columns.map(quotePart).join(),
    ...others,
  };
  const present = Object.entries(parameters).filter(([, value]) => value);
  return new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
}

/** The link of an export of all rows of a view. */
export function exportPath(
  path: string,
  { body, columns }: ShownSearch,
  table: QueryTable,
  format: string,
): string {
  const params = formatPageView({ body, ...columns && { columns } }, table);
  params.set("format", format);
  return withQuery(`${path}/export`, params);
}

export function withBody<View extends ShownSearch>(view: View, body: SearchBody): View {
  const { offset: _offset, skip: _skip, open: _open, ...rest } = view;
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

/** Views of file sets, and the links between them. Each link starts at the first page. */
import { exportPath, nextOrder, withQuery } from "../ui/query.ts";
import { formatSearchUrl, type SearchView } from "../../lib/search/search_url.ts";
import type { FieldSort, SearchBody } from "../../lib/types.ts";

export type Density = "comfortable" | "compact";

/** What a page of file sets shows: a search, and its presentation. */
export interface FileSetsView extends SearchView {
  /** The search as typed; missing if it was not typed. */
  readonly q?: string;
  /** The row spacing; the reader's preference by default. */
  readonly density?: Density;
  /** Conditions that are switched off: they are kept, and filter nothing. */
  readonly off?: SearchBody;
  /** The field that a condition is being added for; empty while it is being chosen. */
  readonly add?: string;
  /** The condition that is being edited, as a query. */
  readonly edit?: string;
  /** Id of the file set that is open beside the table. */
  readonly open?: string;
}

export function formatFileSetsView(view: FileSetsView): URLSearchParams {
  const { q, body, ...rest } = view;
  const params = formatSearchUrl({ ...rest, body: q === undefined ? body : {} });
  if (q !== undefined) params.set("q", q);
  if (view.density) params.set("density", view.density);
  for (const text of switchedOffTexts(view.off)) params.append("off", text);
  if (view.add !== undefined) params.set("add", view.add);
  if (view.edit !== undefined) params.set("edit", view.edit);
  if (view.open) params.set("open", view.open);
  return params;
}

/** The page of all file sets, whatever the reader's default view is. */
export const ALL_FILE_SETS = "/filesets?view=all";

/** Conditions that are switched off, each written as in a link with the name of its parameter. */
function switchedOffTexts(off: SearchBody | undefined): string[] {
  return off ? [...formatSearchUrl({ body: off })].map(([name, value]) => `${name}:${value}`) : [];
}

export function fileSetHref(id: string): string {
  return `/filesets/${encodeURIComponent(id)}`;
}

export function fileSetsHref(view: FileSetsView): string {
  const params = formatFileSetsView(view);
  // Without a query, a reader's default view would be shown.
  return params.size > 0 ? withQuery("/filesets", params) : ALL_FILE_SETS;
}

/** The export of all file sets that match a view's search. */
export function exportHref(view: FileSetsView, format: string): string {
  return exportPath("/filesets", view, format);
}

/** The view with another search. A condition that is being added stays. */
export function withBody(view: FileSetsView, body: SearchBody): FileSetsView {
  const { edit: _edit, ...rest } = view;
  return withSort(rest, body);
}

/** The view with another order. What is being edited stays. */
function withSort(view: FileSetsView, body: SearchBody): FileSetsView {
  const { offset: _offset, open: _open, q: _q, ...rest } = view;
  return { ...rest, body };
}

export function atOffset(view: FileSetsView, offset: number): FileSetsView {
  const { offset: _offset, open: _open, ...rest } = view;
  return offset > 0 ? { ...rest, offset } : rest;
}

/** The view with a file set open beside the table, or with none. */
export function withOpen(view: FileSetsView, id: string | null): FileSetsView {
  const { open: _open, ...rest } = view;
  return id === null ? rest : { ...rest, open: id };
}

/** The view with an editor open, or with none. */
export function editing(
  view: FileSetsView,
  editor: Pick<FileSetsView, "add" | "edit">,
): FileSetsView {
  const { add: _add, edit: _edit, ...rest } = view;
  return { ...rest, ...editor };
}

/** The view sorted by a field alone: ascending, then descending, then unsorted. */
export function sortedBy(view: FileSetsView, field: string): FileSetsView {
  const sort = view.body.fieldSort ?? [];
  const next = nextOrder(sort.length === 1 ? sort[0] : undefined, field);
  return withSort(view, { ...view.body, fieldSort: next ? [{ field, order: next }] : [] });
}

/** The view with a field among its sort keys: ascending, then descending, then removed. */
export function sortedAlsoBy(view: FileSetsView, field: string): FileSetsView {
  const sort = view.body.fieldSort ?? [];
  const present = sort.find((key) => key.field === field);
  const next = nextOrder(present, field);
  const fieldSort: FieldSort[] = !present
    ? [...sort, { field, order: "ASC" }]
    : sort.flatMap((key) => key !== present ? [key] : next ? [{ field, order: next }] : []);
  return withSort(view, { ...view.body, fieldSort });
}

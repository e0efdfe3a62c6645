import { FILE_SET_QUERY } from "../../lib/search/query_table.ts";
import type { FileSetField } from "../../lib/types.ts";
import { formatPageView, type SearchedRows, type ShownSearch } from "../search/page_view.ts";
import { exportPath, withQuery } from "../ui/query.ts";

export type Density = "comfortable" | "compact";

export interface FileSetsView extends ShownSearch {
  readonly density?: Density;
}

/** File sets as their page searches them. The drawer and exports have every field. */
export const FILE_SETS: SearchedRows = {
  table: FILE_SET_QUERY,
  columns: Object.keys(FILE_SET_QUERY.fields),
  defaultColumns: ["name", "owner", "permission", "fileCount", "updated"],
  parameters: ["offset", "density", "open", "format"],
};

export function shownColumns({ columns = FILE_SETS.defaultColumns }: {
  readonly columns?: readonly string[];
}): FileSetField[] {
  return FILE_SETS.columns.filter((field) => columns.includes(field)) as FileSetField[];
}

export function formatFileSetsView(view: FileSetsView): URLSearchParams {
  const params = formatPageView(view);
  if (view.density) params.set("density", view.density);
  return params;
}

export function fileSetHref(id: string): string {
  return `/filesets/${encodeURIComponent(id)}`;
}

export function fileSetsHref(view: FileSetsView): string {
  return withQuery("/filesets", formatFileSetsView(view));
}

export function exportHref(view: FileSetsView, format: string): string {
  return exportPath("/filesets", view, format);
}

export function atOffset(view: FileSetsView, offset: number): FileSetsView {
  const { offset: _offset, open: _open, ...rest } = view;
  return offset > 0 ? { ...rest, offset } : rest;
}

export function withOpen(view: FileSetsView, id: string | null): FileSetsView {
  const { open: _open, ...rest } = view;
  return id === null ? rest : { ...rest, open: id };
}

import { FILE_SET_QUERY } from "../../lib/search/query_table.ts";
import type { FileSetField } from "../../lib/types.ts";
import { formatPageView, type SearchedRows, type ShownSearch } from "../search/page_view.ts";
import { withQuery } from "../ui/query.ts";

/** File sets as their page searches them. The drawer and exports have every field. */
export const FILE_SETS: SearchedRows = {
  table: FILE_SET_QUERY,
  columns: Object.keys(FILE_SET_QUERY.fields),
  defaultColumns: ["name", "owner", "permission", "fileCount", "updated"],
  parameters: ["offset", "open", "format"],
};

export function shownColumns({ columns = FILE_SETS.defaultColumns }: {
  readonly columns?: readonly string[];
}): FileSetField[] {
  return FILE_SETS.columns.filter((field) => columns.includes(field)) as FileSetField[];
}

export function fileSetHref(id: string): string {
  return `/filesets/${encodeURIComponent(id)}`;
}

export function fileSetsHref(view: ShownSearch): string {
  return withQuery("/filesets", formatPageView(view));
}

export function atOffset(view: ShownSearch, offset: number): ShownSearch {
  const { offset: _offset, open: _open, ...rest } = view;
  return offset > 0 ? { ...rest, offset } : rest;
}

export function withOpen(view: ShownSearch, id: string | null): ShownSearch {
  const { open: _open, ...rest } = view;
  return id === null ? rest : { ...rest, open: id };
}

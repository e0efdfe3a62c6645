import type { Facets } from "../../lib/search/facets.ts";
import { FILE_SET_QUERY } from "../../lib/search/query_table.ts";
import type { FileSet } from "../../lib/types.ts";
import { formatPageView, type SearchedRows, type ShownSearch } from "../search/page_view.ts";
import { withQuery } from "../ui/query.ts";

/** File sets as their page searches them. The drawer and exports have every field. */
export const FILE_SETS: SearchedRows = {
  table: FILE_SET_QUERY,
  columns: Object.keys(FILE_SET_QUERY.fields),
  mayHaveMore: true,
  defaultColumns: ["name", "owner", "permission", "fileCount", "updated"],
  parameters: ["offset", "open", "format"],
};

/** The chosen columns, those that the interface does not name last. */
export function shownFileSetColumns({ columns = FILE_SETS.defaultColumns }: {
  readonly columns?: readonly string[];
}): readonly string[] {
  return [...new Set([...FILE_SETS.columns, ...columns])].filter((name) => columns.includes(name));
}

/** The columns to choose from: also fields of these rows that the interface does not name. */
export function allColumns(fileSets: readonly FileSet[], shown: readonly string[] = []) {
  return [...new Set([...FILE_SETS.columns, ...shown, ...fileSets.flatMap(Object.keys)])];
}

/** A field's value. It can be anything if the interface does not name the field. */
export function fieldValue(fileSet: FileSet, field: string): unknown {
  return (fileSet as unknown as Record<string, unknown>)[field];
}

export function fileSetHref(id: string): string {
  return `/filesets/${encodeURIComponent(id)}`;
}

export function fileSetsHref(view: ShownSearch): string {
  return withQuery("/filesets", formatPageView(view, FILE_SET_QUERY));
}

export function atOffset(view: ShownSearch, offset: number): ShownSearch {
  const { offset: _offset, open: _open, ...rest } = view;
  return offset > 0 ? { ...rest, offset } : rest;
}

export function withOpen(view: ShownSearch, id: string | null): ShownSearch {
  const { open: _open, ...rest } = view;
  return id === null ? rest : { ...rest, open: id };
}

const MAX_VALUES = 50;

/** The values that the search form suggests. */
export function fileSetValues(facets: Facets | null, rows: readonly FileSet[]) {
  const chosenValues = (name: "owner" | "permission") => {
    const { options = [] } = facets?.facets.find(({ field }) => field === name) ?? {};
    const counted = options.flatMap(({ condition }) =>
      "value" in condition ? condition.value ?? [] : []
    );
    const seen = new Set([...counted, ...rows.map((row) => row[name])]);
    return [...seen].filter((value) => typeof value === "string").slice(0, MAX_VALUES);
  };
  return { owner: chosenValues("owner"), permission: chosenValues("permission") };
}

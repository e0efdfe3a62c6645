/** Links that the browser makes itself, and exports. Loaded when one is first needed. */
import { valueCondition } from "../../../lib/search/facets.ts";
import { FILE_SET_QUERY } from "../../../lib/search/query_table.ts";
import { toggled } from "../../search/conditions.ts";
import { sortedAlsoBy } from "../../search/page_view.ts";
import type { ParseOptions } from "../../search/parse_page_view.ts";
import { isNumber } from "../../search/search_words.ts";
import { parseFileSetsView } from "../file_sets_link.ts";
import { fileSetsHref, shownColumns } from "../file_sets_view.ts";

export { exportFileSets } from "../export_file_sets.ts";

/** A click in a cell: the number of its column, its text, and what was asked for. */
export interface CellClick {
  readonly column: number;
  readonly text: string;
  readonly isExcluded: boolean;
}

/** The search with only the rows that have the value of a cell, or only those that do not. */
export function hrefOfCell(
  { searchParams }: URL,
  { column, text, isExcluded }: CellClick,
  dates: ParseOptions,
): string {
  const { view } = parseFileSetsView(searchParams, dates);
  const field = shownColumns(view)[column];
  const value = isNumber(FILE_SET_QUERY, field) ? text.replaceAll(",", "") : text;
  const use = isExcluded ? "excluded" : "included";
  return fileSetsHref(toggled(view, valueCondition(field, value), use));
}

/** The search with one more sort key. */
export function hrefSortedAlso({ searchParams }: URL, field: string, dates: ParseOptions): string {
  return fileSetsHref(sortedAlsoBy(parseFileSetsView(searchParams, dates).view, field));
}

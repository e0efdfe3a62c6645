/** Links that the browser makes itself, and exports. Loaded when one is first needed. */
import { valueCondition } from "../../../lib/search/facets.ts";
import { type DateContext, parseFileSetsView } from "../file_sets_link.ts";
import { fileSetsHref, sortedAlsoBy } from "../file_sets_view.ts";
import { toggled } from "../filters/conditions.ts";
import { isNumber, shownColumns } from "./search_text.ts";

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
  dates: DateContext,
): string {
  const { view } = parseFileSetsView(searchParams, dates);
  const field = shownColumns(view)[column];
  const value = isNumber(field) ? text.replaceAll(",", "") : text;
  const use = isExcluded ? "excluded" : "included";
  return fileSetsHref(toggled(view, valueCondition(field, value), use));
}

/** The search with one more sort key. */
export function hrefSortedAlso({ searchParams }: URL, field: string, dates: DateContext): string {
  return fileSetsHref(sortedAlsoBy(parseFileSetsView(searchParams, dates).view, field));
}

/** Links that the browser computes, and exports. Loaded when one is first needed. */
import { createClient } from "../../../lib/client/client.ts";
import { fileSetColumns } from "../../../lib/fields.ts";
import { valueCondition } from "../../../lib/search/facets.ts";
import { FILE_SET_QUERY } from "../../../lib/search/query_table.ts";
import type { ExportFormat } from "../../export/export_formats.ts";
import { EXPORT_PAGE_LIMIT, exportRows } from "../../export/export_rows.ts";
import type { ExportOutcome, ExportTools } from "../../export/use_export.tsx";
import { toggled } from "../../search/conditions.ts";
import { sortedAlsoBy } from "../../search/page_view.ts";
import { type ParseOptions, parsePageView } from "../../search/parse_page_view.ts";
import { isNumber } from "../../search/search_words.ts";
import { FILE_SETS, fileSetsHref, shownFileSetColumns } from "../file_sets_view.ts";

/** The search narrowed to the rows with a cell's value, or to those without. */
export function hrefOfCell(
  { searchParams }: URL,
  { column, text, isExcluded }: {
    readonly column: number;
    readonly text: string;
    readonly isExcluded: boolean;
  },
  dates: ParseOptions,
): string {
  const { view } = parsePageView(searchParams, FILE_SETS, dates);
  const field = shownFileSetColumns(view)[column];
  const value = isNumber(FILE_SET_QUERY, field) ? text.replaceAll(",", "") : text;
  const use = isExcluded ? "excluded" : "included";
  return fileSetsHref(toggled(view, valueCondition(field, value), use));
}

export function hrefSortedAlso({ searchParams }: URL, field: string, dates: ParseOptions): string {
  return fileSetsHref(sortedAlsoBy(parsePageView(searchParams, FILE_SETS, dates).view, field));
}

export function exportFileSets(
  href: string,
  dates: ParseOptions,
  tools: ExportTools,
): Promise<ExportOutcome> {
  const { searchParams } = new URL(href);
  const { body, columns = fileSetColumns() } = parsePageView(searchParams, FILE_SETS, dates).view;
  const format = searchParams.get("format") as ExportFormat;
  // The server retries; retrying here too would multiply the attempts.
  const client = createClient({ baseUrl: location.origin, token: null, attempts: 1 });
  const search = client.fileSets.search(body, { limit: EXPORT_PAGE_LIMIT, signal: tools.signal });
  return exportRows({ subject: "file-sets", search, columns }, format, tools);
}

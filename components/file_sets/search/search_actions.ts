/** Exports of file sets. Loaded when one is first needed. */
import { createClient } from "../../../lib/client/client.ts";
import { fileSetColumns } from "../../../lib/fields.ts";
import { EXPORT_PAGE_LIMIT, type ExportFormat, exportRows } from "../../export/export_rows.ts";
import type { ExportOutcome, ExportTools } from "../../export/use_export.tsx";
import { type ParseOptions, parsePageView } from "../../search/parse_page_view.ts";
import { FILE_SETS } from "../file_sets_view.ts";

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

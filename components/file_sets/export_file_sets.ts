import { fileSetColumns } from "../../lib/fields.ts";
import { createPageClient } from "../../lib/client/page_client.ts";
import type { ExportFormat } from "../export/export_formats.ts";
import { EXPORT_PAGE_LIMIT, exportRows } from "../export/export_rows.ts";
import type { ExportOutcome, ExportTools } from "../export/use_export.ts";
import { parseFileSetsView } from "./file_sets_link.ts";

/** Reads all file sets of an export's link and saves them as a file. */
export function exportFileSets(
  href: string,
  zone: string,
  tools: ExportTools,
): Promise<ExportOutcome> {
  const { searchParams } = new URL(href);
  const { view } = parseFileSetsView(searchParams, { zone, now: Date.now() });
  const { body, columns = fileSetColumns() } = view;
  const format = searchParams.get("format") as ExportFormat;
  // The server retries; retrying here too would multiply the attempts.
  const client = createPageClient(location.origin);
  const search = client.fileSets.search(body, { limit: EXPORT_PAGE_LIMIT, signal: tools.signal });
  return exportRows({ subject: "file-sets", search, columns }, format, tools);
}

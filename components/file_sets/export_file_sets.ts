import { fileSetColumns } from "../../lib/fields.ts";
import { createPageClient } from "../../lib/client/page_client.ts";
import type { ExportFormat } from "../export/export_formats.ts";
import { EXPORT_PAGE_LIMIT, exportRows } from "../export/export_rows.ts";
import type { ExportOutcome, ExportTools } from "../export/use_export.ts";
import type { FileSetsView } from "./file_sets_view.ts";

/** Reads all matching file sets and saves them as a file. */
export function exportFileSets(
  { body, columns = fileSetColumns() }: FileSetsView,
  format: ExportFormat,
  tools: ExportTools,
): Promise<ExportOutcome> {
  // The server retries; retrying here too would multiply the attempts.
  const client = createPageClient(location.origin);
  const search = client.fileSets.search(body, { limit: EXPORT_PAGE_LIMIT, signal: tools.signal });
  return exportRows({ subject: "file-sets", search, columns }, format, tools);
}

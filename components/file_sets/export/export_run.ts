/** Exports file sets in the browser. */
import { createPageClient } from "../../../lib/page_client.ts";
import { isDocketError } from "../../../lib/errors.ts";
import { systemRuntime } from "../../../lib/runtime.ts";
import type { FileSet } from "../../../lib/types.ts";
import { EXPORT_FORMATS, exportFileName, type ExportFormat } from "./export_formats.ts";
import type { ExportState } from "./export_menu.tsx";
import { exportStream } from "./export_stream.ts";
import type { FileSetsView } from "../file_sets_view.ts";
import { formatCount } from "../../ui/format.ts";
import { errorMessageOf, MAX_RETRY_AFTER_SECONDS } from "../../page/error_message.ts";

/** Rows of a request, and the number of concurrent requests. */
const PAGE_LIMIT = 500;
const PREFETCH = 3;

/** The outcome of an export. */
export type ExportOutcome = Omit<ExportState, "running">;

/** Reads all matching file sets and saves them as a file. */
export async function exportFileSets(
  view: FileSetsView,
  format: ExportFormat,
  { signal, onProgress }: {
    readonly signal: AbortSignal;
    readonly onProgress: (message: string) => void;
  },
): Promise<ExportOutcome> {
  // The server retries; retrying here too would multiply the attempts.
  const client = createPageClient(location.origin);
  const search = client.fileSets.search(view.body, { limit: PAGE_LIMIT, signal });
  let walk = search.walk({ prefetch: PREFETCH });
  let changed = false;

  /** All rows. When the service asks for a pause, the walk waits and resumes. */
  async function* rows(): AsyncGenerator<FileSet> {
    for (;;) {
      try {
        return yield* walk;
      } catch (error) {
        const waitMs = isDocketError(error) && error.kind === "http" && error.retryAfterMs;
        if (!waitMs || waitMs > MAX_RETRY_AFTER_SECONDS * 1000) throw error;
        changed ||= walk.report.driftCount > 0;
        const seconds = Math.ceil(waitMs / 1000);
        onProgress(
          `${formatCount(walk.report.items)} rows; service busy, resuming in ${seconds} s`,
        );
        await systemRuntime().sleep(waitMs, signal);
        walk = search.walk({ prefetch: PREFETCH, resume: walk.checkpoint() });
      }
    }
  }

  try {
    const counted = withCount(
      rows(),
      (count) => onProgress(formatProgress(count, walk.report.total)),
    );
    const blob = await new Response(exportStream(format, counted, view.columns)).blob();
    const { items } = walk.report;
    const complete = walk.report.complete && !changed;
    const name = exportFileName(format, new Date(), complete);
    save(new Blob([blob], { type: EXPORT_FORMATS[format].type }), name);
    return outcome(name, items, complete);
  } catch (error) {
    if (signal.aborted) return { message: "Export stopped. No file was saved.", failed: false };
    const { title, detail } = errorMessageOf(error);
    return { message: `Export failed. ${title}: ${detail}`, failed: true };
  }
}

/** Reports the number of rows now and then. */
async function* withCount<Row>(
  rows: AsyncIterable<Row>,
  report: (count: number) => void,
): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    if (++count % PAGE_LIMIT === 0) report(count);
    yield row;
  }
}

function formatProgress(count: number, total: number | undefined): string {
  const of = total === undefined ? "" : ` of ${formatCount(total)}`;
  return `${formatCount(count)}${of} rows`;
}

function outcome(name: string, items: number, complete: boolean): ExportOutcome {
  const message = complete
    ? `Saved all ${formatCount(items)} rows to ${name}.`
    : `Saved ${
      formatCount(items)
    } rows to ${name}. Rows changed during the export, so some may be missing.`;
  return { message, failed: !complete };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has started reading by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}

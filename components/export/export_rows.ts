import { formatCount, formatCountOf } from "../../lib/format.ts";
import { isDocketError } from "../../lib/errors.ts";
import { systemRuntime } from "../../lib/client/transport/runtime.ts";
import type { Walk, WalkOptions } from "../../lib/client/walks/walk.ts";
import type { ExportOutcome, ExportTools } from "./use_export.tsx";
import { csvStream, jsonStream, ndjsonStream } from "../../lib/export.ts";

/** Rows per request, and the number of concurrent requests. */
export const EXPORT_PAGE_LIMIT = 500;
const PREFETCH = 3;
/** The longest pause that an export waits for. */
const MAX_WAIT_MS = 3_600_000;

interface ExportSource<Page, Row extends object> {
  readonly subject: string;
  readonly search: { walk(options: WalkOptions): Walk<Page, Row> };
  readonly columns: readonly string[];
  /** Returns the row to write, or null to leave it out. By default, rows are written unchanged. */
  readonly select?: (row: Row) => Row | null;
}

export async function exportRows<Page, Row extends object>(
  { subject, search, columns, select = (row) => row }: ExportSource<Page, Row>,
  format: ExportFormat,
  { signal, onProgress }: ExportTools,
): Promise<ExportOutcome> {
  let walk = search.walk({ prefetch: PREFETCH });
  let changed = false;
  let written = 0;

  /** All rows. When the service asks for a pause, the walk waits and resumes. */
  async function* rows(): AsyncGenerator<Row> {
    for (;;) {
      try {
        return yield* walk;
      } catch (error) {
        const waitMs = isDocketError(error) && error.kind === "http" && error.retryAfterMs;
        if (!waitMs || waitMs > MAX_WAIT_MS) throw error;
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

  /** The selected rows. Reports progress once per page. */
  async function* selected(): AsyncGenerator<Row> {
    let count = 0;
    for await (const row of rows()) {
      if (++count % EXPORT_PAGE_LIMIT === 0) {
        const { total } = walk.report;
        const of = total === undefined ? "" : ` of ${formatCount(total)}`;
        onProgress(`${formatCount(count)}${of} rows`);
      }
      const result = select(row);
      if (!result) continue;
      written++;
      yield result;
    }
  }

  try {
    const blob = await new Response(exportStream(format, selected(), columns)).blob();
    const complete = walk.report.complete && !changed;
    const name = exportFileName(subject, format, new Date(), complete);
    saveFile(new Blob([blob], { type: EXPORT_FORMATS[format].type }), name);
    return outcome(name, written, complete);
  } catch (error) {
    if (signal.aborted) return { message: "Export stopped. No file was saved.", failed: false };
    const reason = isDocketError(error) ? error.message : "Something went wrong";
    return { message: `Export failed. ${reason}.`, failed: true };
  }
}

function outcome(name: string, rows: number, complete: boolean): ExportOutcome {
  const saved = `${formatCountOf(rows, "row", "rows")} to ${name}.`;
  const message = complete
    ? `Saved ${rows > 1 ? "all " : ""}${saved}`
    : `Saved ${saved} The service's answers did not agree, so rows may be missing.`;
  return { message, failed: !complete };
}

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has started reading by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}

export const EXPORT_FORMATS = {
  csv: { name: "CSV", type: "text/csv; charset=utf-8" },
  ndjson: { name: "NDJSON", type: "application/x-ndjson" },
  json: { name: "JSON", type: "application/json" },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

export function isExportFormat(format: string | null): format is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, format ?? "");
}

/** The name of an exported file: subject, day, and whether rows may be missing. */
export function exportFileName(
  subject: string,
  format: ExportFormat,
  now: Date,
  complete: boolean,
): string {
  const day = now.toISOString().slice(0, 10);
  return `${subject}-${day}${complete ? "" : "-incomplete"}.${format}`;
}

/** CSV has the chosen columns, the other formats every field. */
export function exportStream<Row extends object>(
  format: ExportFormat,
  rows: AsyncIterable<Row> | Iterable<Row>,
  columns: readonly string[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  switch (format) {
    case "csv":
      // Without the mark, Excel reads UTF-8 as the encoding of its machine.
      return csvStream(rows, { columns, bom: true });
    case "ndjson":
      return ndjsonStream(rows);
    case "json":
      return jsonStream(rows);
  }
}

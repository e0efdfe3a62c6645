/** The files that file sets are exported to. */
import { csvStream, fileSetColumns, ndjsonStream, type Rows } from "../lib/export.ts";
import type { FileSet } from "../lib/types.ts";

/** What each format is called, and how a browser knows it. */
export const EXPORT_FORMATS = {
  csv: { name: "CSV", type: "text/csv; charset=utf-8" },
  ndjson: { name: "NDJSON", type: "application/x-ndjson" },
  json: { name: "JSON", type: "application/json" },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** Whether this is the name of a format. */
export function isExportFormat(format: string | null): format is ExportFormat {
  return format !== null && Object.hasOwn(EXPORT_FORMATS, format);
}

/** File sets as a file; CSV has the chosen columns, the others every field. */
export function exportStream(
  format: ExportFormat,
  rows: Rows<FileSet>,
  columns: readonly string[] = fileSetColumns(),
): ReadableStream<Uint8Array<ArrayBuffer>> {
  switch (format) {
    case "csv":
      return csvStream(rows, { columns });
    case "ndjson":
      return ndjsonStream(rows);
    case "json":
      return asArray(ndjsonStream(rows));
  }
}

/** Lines of JSON as one array. No line holds a line break of its own, so each break ends a row. */
function asArray(
  lines: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let before = "[\n";
  const rows = new TransformStream<string, string>({
    transform(text, controller) {
      const ended = text.endsWith("\n");
      const chunk = ended ? text.slice(0, -1) : text;
      controller.enqueue(before + chunk.replaceAll("\n", ",\n"));
      before = ended ? ",\n" : "";
    },
    flush(controller) {
      controller.enqueue(before === "[\n" ? "[]\n" : "\n]\n");
    },
  });
  return lines.pipeThrough(new TextDecoderStream() as never).pipeThrough(rows)
    .pipeThrough(new TextEncoderStream()) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** The name of an exported file; one that may lack rows or have some twice says so. */
export function exportFileName(format: ExportFormat, now: Date, complete: boolean): string {
  const day = now.toISOString().slice(0, 10);
  return `file-sets-${day}${complete ? "" : "-incomplete"}.${format}`;
}

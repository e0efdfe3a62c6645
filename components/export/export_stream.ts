/** Writes rows as files. A file of its own, so that pages load it only when needed. */
import { csvStream, jsonStream, ndjsonStream } from "../../lib/export.ts";
import type { ExportFormat } from "./export_formats.ts";

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

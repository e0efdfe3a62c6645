/** Writes rows as files. A file of its own, so that pages load it only when needed. */
import { csvStream, ndjsonStream } from "../../lib/export.ts";
import type { ExportFormat } from "./export_formats.ts";

/** CSV has the chosen columns, the other formats every field. */
export function exportStream<Row extends object>(
  format: ExportFormat,
  rows: AsyncIterable<Row> | Iterable<Row>,
  columns: readonly string[],
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

/** Turns lines of JSON into an array. JSON escapes line breaks, so each one ends a row. */
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

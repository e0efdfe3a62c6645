/**
 * Writes rows as CSV and newline-delimited JSON, in streams that request rows only as fast as they
 * are read.
 *
 * If reading the rows fails, the stream fails, so that an incomplete file never looks whole.
 * Cancelling the stream stops reading the rows.
 */
import { check } from "./check.ts";
import type { Recipient, ReportRun } from "./types.ts";

/** A stream emits about this many characters at a time. */
const CHUNK_LENGTH = 32_768;

/**
 * Writes rows as CSV by RFC 4180: one line with the names of the columns, then one for each row,
 * lines ended by CR LF, cells quoted where they have to be.
 *
 * A text that a spreadsheet would read as a formula gets an apostrophe in front, even in the middle
 * of a cell that the spreadsheet may split at semicolons or tabs. A missing or null value is an empty
 * cell; recipients are written as `name <address>`, with semicolons between them; any other object
 * or array as JSON.
 *
 * @param rows A result, a walk, an array, or anything else that can be iterated.
 * @param options `columns`: names of the fields to write, in order. `bom`: whether the file begins
 * with a byte order mark, which some spreadsheets need. Default: false.
 * @returns The file in UTF-8. It fails with the error of the rows, if they fail.
 * @throws {ConfigurationError} If `columns` names none.
 *
 * @example
 * ```ts
 * import { csvStream } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const rows = [{ id: "a", name: 'The "best", of all' }, { id: "b", name: "=1+1" }];
 * const csv = await new Response(csvStream(rows, { columns: ["id", "name"] })).text();
 * assertEquals(csv, 'id,name\r\na,"The ""best"", of all"\r\nb,\'=1+1\r\n');
 * ```
 */
export function csvStream<Row extends object>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  { columns, bom = false }: { readonly columns: readonly string[]; readonly bom?: boolean },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  check(
    Array.isArray(columns) && columns.length > 0,
    "columns",
    "a list of at least one field's name",
  );
  const head = (bom ? "\uFEFF" : "") + columns.map(csvCell).join(",") + "\r\n";
  return textStream(rows, head, (row) => csvLine(row, columns));
}

/**
 * Writes rows as newline-delimited JSON, one object a line, with every field.
 *
 * @param rows A result, a walk, an array, or anything else that can be iterated.
 * @returns The file in UTF-8. It fails with the error of the rows, if they fail.
 *
 * @example
 * ```ts
 * import { ndjsonStream } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const text = await new Response(ndjsonStream([{ id: "a" }, { id: "b" }])).text();
 * assertEquals(text, '{"id":"a"}\n{"id":"b"}\n');
 * ```
 */
export function ndjsonStream<Row extends object>(
  rows: AsyncIterable<Row> | Iterable<Row>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return textStream(rows, "", (row) => JSON.stringify(row) + "\n");
}

/** Writes rows as one array of JSON, a line each, with every field. */
export function jsonStream<Row extends object>(
  rows: AsyncIterable<Row> | Iterable<Row>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let before = "[\n";
  return textStream(rows, "", (row) => {
    const text = before + JSON.stringify(row);
    before = ",\n";
    return text;
  }, () => before === "[\n" ? "[]\n" : "\n]\n");
}

/** One row as a line of CSV with its end, as {@linkcode csvStream} writes it. */
export function csvLine(row: object, columns: readonly string[]): string {
  let line = "";
  for (let index = 0; index < columns.length; index++) {
    if (index > 0) line += ",";
    line += csvCell((row as Record<string, unknown>)[columns[index]]);
  }
  return line + "\r\n";
}

/** A row for each recipient of a run; a run without recipients is one row. */
export function recipientRows(
  { recipients, ...run }: ReportRun,
): (Omit<ReportRun, "recipients"> & Recipient)[] {
  if (!recipients?.length) return [run];
  // Nothing else of a recipient, such as an id or a status, which would replace the run's.
  return recipients.map(({ userId, displayName, emailAddress }) => (
    { ...run, userId, displayName, emailAddress }
  ));
}

function textStream<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  head: string,
  write: (row: Row) => string,
  end = () => "",
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let iterator: AsyncIterator<Row> | Iterator<Row> | undefined;
  let text = head;
  return new ReadableStream({
    async pull(controller) {
      // Rows are requested only when the reader wants more.
      iterator ??= Symbol.asyncIterator in rows
        ? rows[Symbol.asyncIterator]()
        : rows[Symbol.iterator]();
      let done = false;
      while (!done && text.length < CHUNK_LENGTH) {
        const next = await iterator.next();
        if (next.done) done = true;
        else text += write(next.value);
      }
      if (done) text += end();
      if (text !== "") controller.enqueue(encoder.encode(text));
      text = "";
      if (done) controller.close();
    },
    async cancel() {
      await iterator?.return?.();
    },
  }, { highWaterMark: 0 });
}

function csvCell(value: unknown): string {
  // Spreadsheets read no number as a formula, not even a negative one.
  return typeof value === "number" ? String(value) : quoteCell(cellText(value));
}

/** One value as the text of a cell, without any quoting. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  return isRecipients(value) ? recipientsText(value) : JSON.stringify(value);
}

/** Where a spreadsheet may see a formula: in a cell, or after what it may take as a cell's end. */
const FORMULA = /(?<=^|[;\t\r\n])(?=['\s\uFEFF]*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g;

/** The apostrophes that csvStream adds in these places. */
const GUARDED = /(?<=^|[;\t\r\n])'(?=['\s\uFEFF]*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/g;

function quoteCell(text: string): string {
  const safe = text.replace(FORMULA, "'");
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A text without the apostrophes that {@linkcode csvStream} added to it. */
export function unguardedCell(text: string): string {
  return text.replace(GUARDED, "");
}

function isRecipients(value: object): value is readonly Recipient[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((entry) =>
      typeof entry === "object" && entry !== null &&
      ("userId" in entry || "displayName" in entry || "emailAddress" in entry)
    );
}

function recipientsText(recipients: readonly Recipient[]): string {
  return recipients.map(({ userId, displayName, emailAddress }) => {
    const name = displayName ?? (userId == null ? "" : String(userId));
    return emailAddress ? `${name} <${emailAddress}>`.trim() : name;
  }).join("; ");
}

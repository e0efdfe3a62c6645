/** Writes rows as a table, CSV, NDJSON or JSON. */
import { cellText, csvLine } from "../lib/export.ts";
import { layOutRows, suggestion, terminalText } from "../lib/terminal.ts";
import { type COMMON, type Option, UsageError, type Values } from "./command.ts";
import type { Io } from "./io.ts";

const FORMATS = ["table", "csv", "ndjson", "json"] as const;

type Format = typeof FORMATS[number];

export const FORMAT: Option<Format> = {
  value: "FORMAT",
  use: "table (default), csv, ndjson or json",
  read(text) {
    const known = FORMATS.find((known) => known === text);
    if (known) return known;
    throw new RangeError(`must be one of ${FORMATS.join(", ")}${suggestion(text, FORMATS)}`);
  },
};

export function chosenFormat(
  { format, json }: Values<{ readonly format: typeof FORMAT } & typeof COMMON>,
): Format {
  if (json && format && format !== "json") throw new UsageError(`Use --json or --format ${format}`);
  return json ? "json" : format ?? "table";
}

export interface TableSpec {
  readonly format: Format;
  readonly columns: readonly string[];
  /** Whether JSON has these columns only, instead of every field. */
  readonly isChosen?: boolean;
}

const CHUNK_LENGTH = 32_768;

/** A table is laid out based on this many of its first rows. */
const LAYOUT_ROWS = 100;

/** Writes rows as they come. What was read is written, also before an error. */
export async function writeRows(
  rows: AsyncIterable<object> | Iterable<object>,
  { format, columns, isChosen }: TableSpec,
  io: Io,
): Promise<void> {
  const pick = (row: object) =>
    Object.fromEntries(columns.map((name) => [name, Reflect.get(row, name)]));
  const json = (row: object) => JSON.stringify(isChosen ? pick(row) : row);
  const headings = Object.fromEntries(columns.map((name) => [name, name]));
  let text = format === "csv" ? csvLine(headings, columns) : "";
  let table: ReturnType<typeof layOut> | undefined;
  const first: object[] = [];
  let count = 0;
  const layOutFirst = () => {
    table = layOut(columns, first, io);
    text += table.head + first.map(table.line).join("");
  };
  const flush = async () => {
    const chunk = text;
    text = "";
    if (chunk) await io.out.write(chunk);
  };
  try {
    for await (const row of rows) {
      count++;
      if (format === "csv") text += csvLine(row, columns);
      else if (format === "ndjson") text += json(row) + "\n";
      else if (format === "json") text += `${count === 1 ? "[" : ","}\n${json(row)}`;
      else if (table) text += table.line(row);
      else if (first.push(row) === LAYOUT_ROWS) layOutFirst();
      if (text.length >= CHUNK_LENGTH) await flush();
    }
    if (!table && first.length > 0) layOutFirst();
    if (format === "json") text += count === 0 ? "[]\n" : "\n]\n";
  } finally {
    await flush();
  }
  const cut = [...table?.cut ?? []].join(", ");
  if (cut) {
    await io.err.write(
      `To fit ${table!.width} characters, the table cut ${cut}; --json writes all\n`,
    );
  }
}

/** A value as indented JSON, for people to read too. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}

const USUAL_WIDTH = 80;

const TIME = /^\d{4}-\d\d-\d\d/;
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i;

/** Lays out a table based on its first rows, as wide as the terminal. */
function layOut(columns: readonly string[], rows: readonly object[], io: Io) {
  // Output to a pager is a pipe, but errors still go to the terminal. Some terminals say 0.
  const width = io.out.columns || io.err.columns || USUAL_WIDTH;
  const toCells = (row: object) =>
    columns.map((name) => terminalText(cellText(toMinute(Reflect.get(row, name)))));
  // Numbers are aligned right, so that their digits line up.
  const isRight = columns.map((name) =>
    rows.some((row) => typeof Reflect.get(row, name) === "number")
  );
  const isWhole = columns.map((name, column) =>
    isRight[column] || rows.some((row) => TIME.test(String(Reflect.get(row, name))))
  );
  const cells = [columns, ...rows.map(toCells)];
  const { fit, lineOf } = layOutRows(cells, { width, isWhole, isRight });
  const cut = new Set<string>();
  return {
    width,
    cut,
    head: lineOf(fit(columns)) + "\n",
    line(row: object): string {
      const cells = toCells(row);
      const shown = fit(cells);
      for (const [column, name] of columns.entries()) {
        if (cells[column] !== shown[column]) cut.add(name);
      }
      return lineOf(shown) + "\n";
    },
  };
}

/** A time in UTC without seconds; anything else is unchanged, such as a time that names no zone. */
function toMinute(value: unknown): unknown {
  const time = typeof value === "string" && ZONED.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? value : `${new Date(time).toISOString().slice(0, 16)}Z`;
}

/** Wraps a text at 80 columns where possible, and indents all lines but the first. */
export function wrapped(text: string, indent: number): string {
  const most = USUAL_WIDTH - indent;
  const line = new RegExp(`(?=.{${most + 1}})(.{1,${most}}) +`, "g");
  return text.replace(line, `$1\n${" ".repeat(indent)}`);
}

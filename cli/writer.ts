/** Writes rows as a table, CSV, NDJSON or JSON. */
import { cellText, csvLine } from "../lib/export.ts";
import type { Headline } from "../lib/mod.ts";
import { layOutRows, suggestion, terminalText } from "../lib/terminal.ts";
import { type COMMON, type Option, UsageError, type Values } from "./command.ts";
import type { Io } from "./io.ts";

const FORMATS = ["table", "csv", "ndjson", "json"] as const;

export type Format = typeof FORMATS[number];

export const FORMAT: Option<Format> = {
  value: "FORMAT",
  use: "table (default), csv, ndjson or json",
  read(text) {
    const known = FORMATS.find((known) => known === text);
    if (known) return known;
    throw new RangeError(`must be one of ${FORMATS.join(", ")}${suggestion(text, FORMATS)}`);
  },
};

/** The format that `--format` or `--json` chooses. */
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
  /** How to see what a table cuts. */
  readonly remedy?: string;
}

const CHUNK_LENGTH = 32_768;

/** A table is laid out based on this many of its first rows. */
const LAYOUT_ROWS = 100;

export function createWriter(
  { format, columns, isChosen, ...spec }: TableSpec,
  io: Io,
) {
  let text = format === "csv"
    ? csvLine(Object.fromEntries(columns.map((name) => [name, name])), columns)
    : "";
  let rows = 0;
  let table: ReturnType<typeof layOut> | undefined;
  let firstRows: object[] = [];

  const json = (row: object) => JSON.stringify(isChosen ? pick(row, columns) : row);
  const layOutFirstRows = () => {
    if (format !== "table" || table || rows === 0) return;
    table = layOut(columns, firstRows, io);
    text += table.head + firstRows.map(table.line).join("");
    firstRows = [];
  };
  async function flush(): Promise<void> {
    const chunk = text;
    text = "";
    if (chunk) await io.out.write(chunk);
  }

  return {
    row(row: object): void {
      rows++;
      if (format === "csv") text += csvLine(row, columns);
      else if (format === "ndjson") text += json(row) + "\n";
      else if (format === "json") text += `${rows === 1 ? "[" : ","}\n${json(row)}`;
      else if (table) text += table.line(row);
      else if (firstRows.push(row) === LAYOUT_ROWS) layOutFirstRows();
    },
    get isDue(): boolean {
      return text.length >= CHUNK_LENGTH;
    },
    flush,
    async end(): Promise<void> {
      layOutFirstRows();
      if (format === "json") text += rows === 0 ? "[]\n" : "\n]\n";
      await flush();
      const cut = table?.describeCut();
      const { remedy = "--columns chooses, and --format csv writes everything" } = spec;
      if (cut) await io.err.write(`${cut}; ${remedy}\n`);
    },
  };
}

export async function writeRows(rows: Iterable<object>, spec: TableSpec, io: Io): Promise<void> {
  const writer = createWriter(spec, io);
  for (const row of rows) writer.row(row);
  await writer.end();
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
  // In a pipe, such as to a pager, standard error may still be the terminal.
  const width = io.out.columns ?? io.err.columns ?? USUAL_WIDTH;
  const isColoured = io.out.isTerminal && !io.env("NO_COLOR");
  const toCells = (row: object) =>
    columns.map((name) => terminalText(cellText(toMinute(readField(row, name)))));
  // Numbers are aligned right, so that their digits line up.
  const isRight = columns.map((name) =>
    rows.some((row) => typeof readField(row, name) === "number")
  );
  const isWhole = columns.map((name, column) =>
    isRight[column] || rows.some((row) => TIME.test(String(readField(row, name))))
  );
  const cells = [columns, ...rows.map(toCells)];
  const { fit, lineOf } = layOutRows(cells, { width, isWhole, isRight });
  const headings = lineOf(fit(columns));
  const cut = new Set<string>();
  return {
    head: (isColoured ? `\x1b[1m${headings}\x1b[0m` : headings) + "\n",
    line(row: object): string {
      const cells = toCells(row);
      const shown = fit(cells);
      for (const [column, name] of columns.entries()) {
        if (cells[column] !== shown[column]) cut.add(name);
      }
      const headline = readField(row, "headline") as Headline | undefined;
      const line = lineOf(shown);
      return `${isColoured && headline ? line.replace(headline, coloured(headline)) : line}\n`;
    },
    /** Which columns did not fit; an empty text if all did. */
    describeCut(): string {
      const names = [...cut].join(", ");
      return names && `To fit ${width} characters, the table cut ${names}`;
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

function readField(row: object, name: string): unknown {
  return (row as Record<string, unknown>)[name];
}

function pick(row: object, columns: readonly string[]): object {
  return Object.fromEntries(columns.map((name) => [name, readField(row, name)]));
}

const RED: readonly Headline[] = ["failing", "overdue", "empty", "outside"];
const YELLOW: readonly Headline[] = ["missed", "changed", "flaky", "late"];

/** A headline in colour. It is still a word, so that nothing depends on colour alone. */
export function coloured(headline: Headline): string {
  const grey = headline === "healthy" ? 32 : 90;
  const code = RED.includes(headline) ? 31 : YELLOW.includes(headline) ? 33 : grey;
  return `\x1b[${code}m${headline}\x1b[0m`;
}

import { layOutRows, terminalText } from "../lib/terminal.ts";
import { cellText } from "../lib/export.ts";
import type { Headline } from "../lib/mod.ts";
import type { Io } from "./io.ts";

/** A table whose layout is known, so that its lines can be written one by one. */
export type TextTable = ReturnType<typeof layOut>;

const USUAL_WIDTH = 80;

const TIME = /^\d{4}-\d\d-\d\d/;

/** Lays out a table based on its first rows, as wide as the terminal. */
export function layOut(
  columns: readonly string[],
  rows: readonly object[],
  io: Pick<Io, "out" | "err" | "env">,
) {
  // In a pipe, such as to a pager, standard error may still be the terminal.
  const width = io.out.columns ?? io.err.columns ?? USUAL_WIDTH;
  const toCells = (row: object) =>
    columns.map((name) => terminalText(cellText(readField(row, name))));
  // Numbers are aligned right, so that their digits line up.
  const isRight = columns.map((name) =>
    rows.some((row) => typeof readField(row, name) === "number")
  );
  const isWhole = columns.map((name, column) =>
    isRight[column] || rows.some((row) => TIME.test(String(readField(row, name))))
  );
  const { widths, fit, lineOf } = layOutRows([columns, ...rows.map(toCells)], {
    width,
    isWhole,
    isRight,
  });
  const headings = lineOf(fit(columns));
  const cut = new Set<string>();
  const leftOut = columns.slice(widths.length);
  return {
    head: (): string => (usesColour(io) ? `\x1b[1m${headings}\x1b[0m` : headings) + "\n",
    line(row: object): string {
      const cells = toCells(row);
      const shown = fit(cells);
      for (const [column, cell] of shown.entries()) {
        if (cell !== cells[column]) cut.add(columns[column]);
      }
      return lineOf(shown) + "\n";
    },
    /** Writes to standard error which columns did not fit, and how to see them. */
    async printCut(remedy: string): Promise<void> {
      const parts = [
        ...(cut.size > 0 ? [`cut ${[...cut].join(", ")}`] : []),
        ...(leftOut.length > 0 ? [`left out ${leftOut.join(", ")}`] : []),
      ];
      if (parts.length === 0) return;
      await io.err.write(
        `To fit ${width} characters, the table ${parts.join(" and ")}; ${remedy}\n`,
      );
    },
  };
}

/** Writes a whole table; `paint` may colour the line of a row. */
export async function printTable<Row extends object>(
  columns: readonly string[],
  rows: readonly Row[],
  io: Pick<Io, "out" | "err" | "env">,
  remedy: string,
  paint: (line: string, row: Row) => string = (line) => line,
): Promise<void> {
  const table = layOut(columns, rows, io);
  const lines = rows.map((row) => paint(table.line(row), row));
  await io.out.write(table.head() + lines.join(""));
  await table.printCut(remedy);
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

/** Whether to use colour: on a terminal, unless `NO_COLOR` is set. */
export function usesColour(io: Pick<Io, "out" | "env">): boolean {
  return io.out.isTerminal && !io.env("NO_COLOR");
}

const RED: readonly Headline[] = ["failing", "overdue", "empty", "outside"];
const YELLOW: readonly Headline[] = ["missed", "changed", "flaky", "late"];

function colourCode(headline: Headline): number {
  if (RED.includes(headline)) return 31;
  if (YELLOW.includes(headline)) return 33;
  return headline === "healthy" ? 32 : 90;
}

/** A headline in colour. It is still a word, so that nothing depends on colour alone. */
export function colouredHeadline(headline: Headline): string {
  return `\x1b[${colourCode(headline)}m${headline}\x1b[0m`;
}

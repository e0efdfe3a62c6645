/** Rows as a table of text. */
import { layOutRows, terminalText } from "../lib/terminal.ts";
import { cellText } from "../lib/export.ts";

/** A table whose layout is known, so that its lines can be written one by one. */
export type TextTable = ReturnType<typeof layOut>;

/** Lays out a table by its first rows. `width` is the terminal's; without it, nothing is cut off. */
export function layOut(
  columns: readonly string[],
  rows: readonly object[],
  { width, isColoured = false }: { readonly width?: number; readonly isColoured?: boolean } = {},
) {
  const cellsOf = (row: object) =>
    columns.map((name) => terminalText(cellText(valueOf(row, name))));
  // Numbers are aligned right, so that their digits line up.
  const isRight = columns.map((name) => rows.some((row) => typeof valueOf(row, name) === "number"));
  const lineOf = layOutRows([columns, ...rows.map(cellsOf)], { width, isRight });
  return {
    /** The line with the names of the columns. */
    head: (): string => (isColoured ? `\x1b[1m${lineOf(columns)}\x1b[0m` : lineOf(columns)) + "\n",
    /** One row as a line. */
    line: (row: object): string => lineOf(cellsOf(row)) + "\n",
  };
}

function valueOf(row: object, name: string): unknown {
  return (row as Record<string, unknown>)[name];
}

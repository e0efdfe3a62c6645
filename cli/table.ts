/** Rows as a table of text. */
import { fitTerminal, padTerminal, terminalText, terminalWidth } from "../lib/terminal.ts";
import { cellText } from "../lib/mod.ts";

/** No column is made wider than this for the sake of one cell. */
const WIDEST = 100;

/** No column is made narrower than this for the sake of a terminal. */
const NARROWEST = 6;

const GAP = "  ";

/** The terminal that a table is written to, if any. */
export interface Paper {
  /** Number of columns of the terminal; without it, nothing is cut off. */
  readonly width?: number;
  /** Whether the head is set off by colour. */
  readonly isColoured?: boolean;
}

export type Table = ReturnType<typeof layOut>;

/**
 * Lays out a table by its first rows. On a terminal, what does not fit is cut off, with an
 * ellipsis; elsewhere later cells that are wider push their line to the right.
 */
export function layOut(
  columns: readonly string[],
  rows: readonly object[],
  { width, isColoured = false }: Paper = {},
) {
  const cells = rows.map((row) => columns.map((name) => cellOf(row, name)));
  const wanted = columns.map((name, index) =>
    Math.min(WIDEST, Math.max(name.length, ...cells.map((line) => terminalWidth(line[index]))))
  );
  const widths = width === undefined
    ? wanted
    : fit(wanted, width - GAP.length * (columns.length - 1));
  // Numbers are aligned right, so that their digits line up.
  const isNumber = columns.map((name) =>
    rows.some((row) => typeof valueOf(row, name) === "number")
  );
  const join = (texts: readonly string[]) =>
    texts.map((text, index) => {
      const shown = width === undefined ? text : fitTerminal(text, widths[index]);
      return padTerminal(shown, widths[index], isNumber[index]);
    }).join(GAP).trimEnd();
  return {
    /** The line with the names of the columns. */
    head: (): string => (isColoured ? `\x1b[1m${join(columns)}\x1b[0m` : join(columns)) + "\n",
    /** One row as a line. */
    line: (row: object): string => join(columns.map((name) => cellOf(row, name))) + "\n",
  };
}

/** Makes the widest columns narrower until all fit, or none can be narrower. */
function fit(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  const sum = () => widths.reduce((sum, width) => sum + width, 0);
  while (sum() > room) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)]--;
  }
  return widths;
}

function valueOf(row: object, name: string): unknown {
  return (row as Record<string, unknown>)[name];
}

function cellOf(row: object, name: string): string {
  return terminalText(cellText(valueOf(row, name)));
}

/**
 * Rows as a table of text.
 *
 * @module
 */

import { cellText } from "../lib/mod.ts";

/** No column is made wider than this for the sake of one cell. */
const WIDEST = 48;

/** Writes rows as lines of a table. */
export interface Table {
  /** The line with the names of the columns. */
  head(): string;
  /** One row as a line. */
  line(row: object): string;
}

/**
 * Lays out a table by its first rows. Later cells that are wider push their line to the right;
 * nothing is cut off.
 *
 * @param columns Names of the fields.
 * @param rows The first rows.
 * @returns The table.
 */
export function layOut(columns: readonly string[], rows: readonly object[]): Table {
  const cells = rows.map((row) => columns.map((name) => cellOf(row, name)));
  const widths = columns.map((name, index) =>
    Math.min(WIDEST, Math.max(name.length, ...cells.map((line) => [...line[index]].length)))
  );
  // Numbers stand to the right, so that their digits stand below each other.
  const isNumber = columns.map((name) =>
    rows.some((row) => typeof valueOf(row, name) === "number")
  );
  const join = (texts: readonly string[]) =>
    texts.map((text, index) => {
      const space = " ".repeat(Math.max(0, widths[index] - [...text].length));
      return isNumber[index] ? space + text : text + space;
    }).join("  ").trimEnd() + "\n";
  return {
    head: () => join(columns),
    line: (row) => join(columns.map((name) => cellOf(row, name))),
  };
}

function valueOf(row: object, name: string): unknown {
  return (row as Record<string, unknown>)[name];
}

function cellOf(row: object, name: string): string {
  // deno-lint-ignore no-control-regex
  return cellText(valueOf(row, name)).replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, "\ufffd");
}

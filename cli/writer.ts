import { csvLine } from "../lib/export.ts";
import type { Format } from "./values.ts";
import type { Io } from "./io.ts";
import { layOut, type TextTable } from "./table.ts";

const CHUNK_LENGTH = 32_768;

/** A table is laid out based on this many of its first rows. */
const LAYOUT_ROWS = 100;

/** Makes a writer of rows. With `isContinued`, it continues a file, without the CSV header. */
export function createWriter(
  { format, columns, isChosen }: {
    readonly format: Format;
    readonly columns: readonly string[];
    readonly isChosen: boolean;
  },
  io: Pick<Io, "out" | "err" | "env">,
  { isContinued, remedy = "--columns chooses, and --format csv writes everything" }: {
    readonly isContinued?: boolean;
    readonly remedy?: string;
  } = {},
) {
  let text = format === "csv" && !isContinued
    ? csvLine(Object.fromEntries(columns.map((name) => [name, name])), columns)
    : "";
  let rows = 0;
  let table: TextTable | undefined;
  let firstRows: object[] = [];

  const json = (row: object) => JSON.stringify(isChosen ? pick(row, columns) : row);
  const layOutFirstRows = () => {
    if (format !== "table" || table) return;
    table = layOut(columns, firstRows, io);
    text += table.head() + firstRows.map(table.line).join("");
    firstRows = [];
  };
  async function flush(): Promise<void> {
    if (text === "") return;
    const chunk = text;
    text = "";
    await io.out.write(chunk);
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
    flush: (): Promise<void> => flush(),
    async end(): Promise<void> {
      layOutFirstRows();
      if (format === "json") text += rows === 0 ? "[]\n" : "\n]\n";
      await flush();
      await table?.printCut(remedy);
    },
  };
}

/** A value as indented JSON, for people to read too. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}

function pick(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((name) => [name, (row as Record<string, unknown>)[name]]),
  );
}

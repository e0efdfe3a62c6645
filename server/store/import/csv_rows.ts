/** Reads CSV files, as written by spreadsheets and by Docket's exports. */
import { CsvParseStream } from "@std/csv/parse-stream";
import { unguardedCell } from "../../../lib/export.ts";

export interface CsvRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** The cells by the names in the header. */
  readonly cells: Readonly<Record<string, string>>;
  readonly issue?: string;
}

export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** The rows of a UTF-8 file, without empty lines; throws a CsvError that names the line. */
export async function* csvRows(
  file: ReadableStream<Uint8Array<ArrayBuffer>>,
  columns: readonly string[],
  required?: string,
): AsyncGenerator<CsvRow> {
  const [head, whole] = file.tee();
  const separator = separatorIn(await readFirstLine(head));
  const rows = whole.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
    .pipeThrough(new CsvParseStream({ separator })) as ReadableStream<string[]>;
  let header: readonly string[] | null = null;
  let isEmpty = true;
  let line = 1;
  try {
    for await (const row of rows) {
      const firstLine = line;
      line += row.join("").split("\n").length;
      if (row.every((cell) => cell.trim() === "")) continue;
      if (header === null) {
        header = readHeader(row, columns, required);
        continue;
      }
      isEmpty = false;
      if (row.length !== header.length) {
        const issue = `the header has ${header.length} cells, this line ${row.length}`;
        yield { line: firstLine, cells: {}, issue };
        continue;
      }
      const cells = header.map((name, index) => [name, unguardedCell(row[index]).trim()]);
      yield { line: firstLine, cells: Object.fromEntries(cells) };
    }
  } catch (error) {
    if (error instanceof TypeError) {
      throw new CsvError("the file is not in UTF-8: save it as UTF-8");
    }
    if (!(error instanceof SyntaxError)) throw error;
    throw new CsvError(`line ${line}: a quote is not closed, or is in the middle of a cell`);
  }
  if (isEmpty) throw new CsvError(`the file is empty${header ? " below its header" : ""}`);
}

function readHeader(
  row: readonly string[],
  columns: readonly string[],
  required: string | undefined,
): readonly string[] {
  const names = row.map((cell) => cell.trim());
  const unknown = names.find((name) => !columns.includes(name));
  if (unknown !== undefined) {
    throw new CsvError(
      `line 1: "${unknown.slice(0, 100)}" is not a column; the columns are ${columns.join(", ")}`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new CsvError(`line 1: the column ${repeated} appears twice`);
  if (required && !names.includes(required)) {
    throw new CsvError(`line 1: the column ${required} is missing`);
  }
  return names;
}

async function readFirstLine(file: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const chunk of file.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("\n") || text.length > 65_536) break;
  }
  return text.split("\n", 1)[0];
}

function separatorIn(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return [",", ";", "\t"].reduce((best, each) => count(each) > count(best) ? each : best);
}

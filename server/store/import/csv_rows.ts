/** Reads CSV files, as written by spreadsheets and by Docket's exports. */
import { unguardedCell } from "../../../lib/export.ts";
import { editDistance } from "../../../lib/terminal.ts";
import { yieldToEventLoop } from "../../workers/yield_to_event_loop.ts";

export interface CsvRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** The cells by the names of their columns. */
  readonly cells: Readonly<Record<string, string>>;
  readonly issue?: string;
}

export interface CsvOptions {
  /** Says what is missing among the names of the columns that a file has. */
  readonly lacks?: (names: readonly string[]) => string | undefined;
  /** The column's name for a header that has another name; empty to leave it out. */
  readonly map?: ReadonlyMap<string, string>;
  /** The columns whose leading and trailing blanks are part of the text. */
  readonly texts?: ReadonlySet<string>;
}

export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** The nearest column of each one is looked for. */
const MAX_COLUMNS = 1000;

const WORKBOOK = "PK\u0003\u0004";

/**
 * The rows of a UTF-8 file, without empty lines. Names of columns match whatever their case, blanks
 * and underscores. @throws {CsvError} That names the line, and everything that is wrong with a header
 */
export async function* csvRows(
  file: ReadableStream<Uint8Array<ArrayBuffer>>,
  columns: readonly string[],
  options: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const { first, whole } = await peek(file);
  if (first.startsWith(WORKBOOK)) {
    throw new CsvError("this is an Excel workbook (.xlsx): save it as CSV");
  }
  // Excel's own way to name the separator.
  const separator = /^sep=(.)\s*$/i.exec(first)?.[1] ?? separatorIn(first);
  const texts = whole.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
  let header: readonly string[] | null = null;
  let isEmpty = true;
  try {
    for await (const { line, row } of parseRows(texts, separator)) {
      const isNaming = header === null && /^sep=$/i.test(row[0].trim());
      if (isNaming || row.every((cell) => cell.trim() === "")) continue;
      if (header === null) {
        header = readHeader(row, line, columns, options);
        continue;
      }
      isEmpty = false;
      if (row.length !== header.length) {
        const issue = `the header has ${header.length} cells, this line ${row.length}`;
        yield { line, cells: {}, issue };
        continue;
      }
      const cells = header.map((name, index) => {
        const text = unguardedCell(row[index]);
        return [name, options.texts?.has(name) ? text : text.trim()];
      });
      yield { line, cells: Object.fromEntries(cells) };
    }
  } catch (error) {
    if (error instanceof TypeError) {
      throw new CsvError("the file is not in UTF-8: save it as UTF-8");
    }
    throw error;
  }
  if (isEmpty) throw new CsvError(`the file is empty${header ? " below its header" : ""}`);
}

/** The rows of a text, each with the number of its first line. */
async function* parseRows(texts: AsyncIterable<string>, separator: string) {
  let row: string[] = [];
  let cell = "";
  let [line, firstLine] = [1, 1];
  /** Within quotes, or after a quote that ends them or stands for itself. */
  let quotes: "open" | "closing" | null = null;
  const fault = () =>
    new CsvError(`line ${firstLine}: a quote is not closed, or is in the middle of a cell`);
  for await (const text of texts) {
    for (const character of text) {
      if (character === "\n") line++;
      if (quotes === "open") {
        if (character === '"') quotes = "closing";
        else cell += character;
      } else if (character === '"') {
        if (quotes === null && cell !== "") throw fault();
        if (quotes === "closing") cell += character;
        quotes = "open";
      } else if (character === separator || character === "\n") {
        row.push(character === "\n" ? cell.replace(/\r$/, "") : cell);
        [cell, quotes] = ["", null];
        if (character === separator) continue;
        yield { line: firstLine, row };
        [row, firstLine] = [[], line];
      } else {
        if (quotes === "closing" && character !== "\r") throw fault();
        cell += character;
      }
    }
  }
  if (quotes === "open") throw fault();
  yield { line: firstLine, row: [...row, cell] };
}

const comparedName = (name: string) => name.toLowerCase().replace(/[\s_]/g, "");

/** The name among others that contains it, or else that is most like it for its length. */
function nearest(name: string, names: readonly string[]): string {
  const typed = comparedName(name);
  const distance = (other: string) => {
    const compared = comparedName(other);
    if (compared.includes(typed)) return 0;
    return editDistance(typed, compared) / Math.max(typed.length, compared.length);
  };
  return names.reduce((best, each) => distance(each) < distance(best) ? each : best);
}

/** The columns' names by the header's cells. Reports everything that is wrong at once. */
function readHeader(
  row: readonly string[],
  line: number,
  columns: readonly string[],
  { lacks, map }: CsvOptions,
): readonly string[] {
  if (row.length > MAX_COLUMNS) {
    throw new CsvError(`line ${line}: it names ${row.length} columns, more than ${MAX_COLUMNS}`);
  }
  const faults: string[] = [];
  const found = row.map((cell) => cell.trim().slice(0, 100));
  const findIn = (names: readonly string[], name: string) =>
    names.find((each) => comparedName(each) === comparedName(name));
  const mapped = new Map<string, string>();
  for (const [from, to] of map ?? []) {
    mapped.set(comparedName(from), to);
    if (findIn(found, from)) continue;
    faults.push(`the map's "${from}" is not in the file, the nearest is "${nearest(from, found)}"`);
  }
  const unmatched: string[] = [];
  const known = found.map((cell) => {
    const wanted = mapped.get(comparedName(cell)) ?? cell;
    const column = wanted === "" && cell !== "" ? "" : findIn(columns, wanted);
    if (column !== undefined) return column;
    faults.push(`"${wanted}" is not a column, the nearest is ${nearest(wanted, columns)}`);
    unmatched.push(cell);
    return "";
  });
  for (const name of new Set(known.filter((name, at) => name && known.indexOf(name) !== at))) {
    faults.push(`the column ${name} appears twice`);
  }
  const lack = lacks?.(known);
  if (lack) faults.push(lack);
  if (faults.length === 0) return known;
  if (map && unmatched.length > 0) {
    const [cell] = unmatched;
    faults.push(`map a header, such as "${cell}=startTime", or leave it out: "${cell}="`);
  }
  throw new CsvError(`line ${line}: ${faults.join(";\n")};\nthe columns are ${columns.join(", ")}`);
}

/** A longer first line is not read to the end. */
const MAX_FIRST_LINE = 256 * 1024;
const PIECE_BYTES = 16 * 1024;

/** The file in pieces, with other work in between: an uploaded one comes as one chunk. */
async function* toPieces(file: AsyncIterable<Uint8Array<ArrayBuffer>>) {
  for await (const chunk of file) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      await yieldToEventLoop();
    }
  }
}

/** The first line that is not blank, without leading blanks, and the whole file. */
export async function peek(file: AsyncIterable<Uint8Array<ArrayBuffer>>) {
  const [head, whole] = ReadableStream.from(toPieces(file)).tee();
  let text = "";
  for await (const chunk of head.pipeThrough(new TextDecoderStream())) {
    text = `${text}${chunk}`.trimStart();
    if (text.includes("\n") || text.length > MAX_FIRST_LINE) break;
  }
  return { first: text.split("\n", 1)[0], whole };
}

function separatorIn(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return [",", ";", "\t"].reduce((best, each) => count(each) > count(best) ? each : best);
}

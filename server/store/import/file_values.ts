/** Splits a file into values to import. It is NDJSON, one JSON document, or CSV. */
import { isRow } from "../../../lib/client/row_checks.ts";
import { type Field, FILE_SET_FIELDS, RECIPIENT_FIELDS } from "../../../lib/fields.ts";
import { type ImportValue, recipientIssues, RUN } from "./entries.ts";
import { CsvError, type CsvOptions, type CsvRow, csvRows } from "./csv_rows.ts";
import { readSheetTime, type SheetTimeOptions } from "./sheet_times.ts";

/** The longest line that is read: many times the interface's answer with a thousand runs. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The longest document: it is read as one text, and the runtime's texts can't be much longer. */
const MAX_DOCUMENT_BYTES = 500 * 1024 * 1024;
/** How many bytes are read to find out whether a stream is one document. */
const HEAD_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

export class ImportFileError extends CsvError {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/** The values in a stream, one group per chunk. Its beginning shows which kind of file it is. */
export async function* splitFile(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvFileOptions = {},
): AsyncGenerator<readonly ImportValue[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
    // JSON has no byte order mark.
    const whole = continued(head.subarray(hasMark ? 3 : 0), iterator);
    const text = new TextDecoder().decode(head);
    if (/^\s*[^[{\s]/.test(text)) yield* csvValues(whole, options);
    else if (isDocument(text)) yield await documentValues(whole);
    else yield* lineValues(whole);
  } finally {
    await iterator.return?.();
  }
}

/** The first line, or enough of it to see that it is too long for one entry. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < HEAD_BYTES && !head.includes(NEWLINE)) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = concat(head, value);
  }
  return head;
}

/** Whether a stream with this beginning is one document rather than one value per line. */
function isDocument(head: string): boolean {
  const [line] = head.trimStart().split("\n", 1);
  try {
    JSON.parse(line);
    return false;
  } catch {
    return /^(\[|\{\s*("(fileSets|pageContext)"\s*:|$))/.test(line);
  }
}

async function* lineValues(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ImportValue[]> {
  let rest: Uint8Array = new Uint8Array();
  let line = 1;
  for await (const chunk of chunks) {
    const values: ImportValue[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      values.push(...valuesIn(concat(rest, chunk.subarray(from, at)), line));
      rest = new Uint8Array();
      line++;
      from = at + 1;
    }
    rest = concat(rest, chunk.subarray(from));
    yield values;
    if (rest.length > MAX_LINE_BYTES) {
      throw new ImportFileError(line, "is longer than any entry may be");
    }
  }
  yield valuesIn(rest, line);
}

async function documentValues(chunks: AsyncIterable<Uint8Array>): Promise<ImportValue[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.slice());
    size += chunk.length;
    if (size <= MAX_DOCUMENT_BYTES) continue;
    const mib = MAX_DOCUMENT_BYTES / 1024 / 1024;
    throw new ImportFileError(1, `the document is larger than ${mib} MiB: import it as NDJSON`);
  }
  return valuesIn(await new Blob(parts).bytes(), 1);
}

/** The values in a JSON text: of a list, of a search's answer, or the value itself; none if blank. */
function valuesIn(bytes: Uint8Array, line: number): ImportValue[] {
  const location = `line ${line}`;
  let json: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return [];
    json = JSON.parse(text);
  } catch (error) {
    const [position = ""] = /\(line \d+ column \d+\)$/.exec((error as Error).message) ?? [];
    return [{ location, issue: `is not valid JSON in UTF-8 ${position}`.trim() }];
  }
  const list = isRow(json) && Array.isArray(json.fileSets) ? json.fileSets : json;
  if (!Array.isArray(list)) return [{ location, value: list }];
  return list.map((value, at) => ({ location: `entry ${at + 1} of ${location}`, value }));
}

async function* continued(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export interface CsvFileOptions extends SheetTimeOptions, Pick<CsvOptions, "map"> {}

/** The allowed columns. Docket's exports may also have a run's duration. */
const COLUMNS = [...Object.keys({ ...RUN, ...RECIPIENT_FIELDS, ...FILE_SET_FIELDS }), "duration"];
const RUN_ONLY = Object.keys(RUN).filter((name) => !Object.hasOwn(FILE_SET_FIELDS, name));
const GROUP = 500;
/** Texts that people wrote. */
const TEXTS = new Set([
  ...["name", "description", "owner", "displayName"],
  ...["reportTitle", "reportSubject", "resourceName"],
]);

type Members = Record<string, unknown>;

/** A run needs an id, or the time by which rows are one run. */
function lacks(names: readonly string[]): string | undefined {
  if (["id", "name", "startTime"].some((name) => names.includes(name))) return;
  return "a column is missing: scheduleId and startTime or id for runs, id or name for file sets";
}

/**
 * The entries of a CSV file. Rows of the same run are one run with several recipients. Without ids,
 * these are the rows of one schedule and start, anywhere in the file; else they follow each other.
 */
async function* csvValues(chunks: AsyncIterable<Uint8Array>, options: CsvFileOptions) {
  const file = ReadableStream.from(chunks as AsyncIterable<Uint8Array<ArrayBuffer>>);
  const entries = new Map<string, ImportValue & { readonly value: Members; issue?: string }>();
  let last = "";
  const { map = new Map() } = options;
  for await (const { line, cells, issue } of csvRows(file, COLUMNS, { lacks, map, texts: TEXTS })) {
    const location = `line ${line}`;
    if (issue) {
      entries.set(location, { location, value: {}, issue });
      continue;
    }
    const issues: string[] = [];
    const value = membersOf(cells, options, issues);
    const hasId = "id" in cells;
    const key = isRun(cells) && value.id ? `${value.scheduleId}/${value.id}` : location;
    const before = hasId && key !== last ? undefined : entries.get(key);
    last = key;
    if (before) {
      const other = Object.keys(RUN).find((name) => before.value[name] !== value[name]);
      if (other) issues.push(`${other} is not as in ${before.location}, which is the same run`);
      (before.value.recipients as unknown[] | undefined)?.push(
        ...value.recipients as unknown[] ?? [],
      );
      // A run with an invalid row is rejected as a whole.
      if (issues.length > 0 && !before.issue) {
        entries.set(key, { location, value: before.value, issue: issues.join("; ") });
      }
      continue;
    }
    if (hasId && (entries.size === GROUP || entries.has(key))) {
      yield [...entries.values()];
      entries.clear();
    }
    entries.set(key, { location, value, issue: issues.join("; ") || undefined });
  }
  const rest = [...entries.values()];
  for (let at = 0; at < rest.length; at += GROUP) yield rest.slice(at, at + GROUP);
}

const isRun = (cells: CsvRow["cells"]) => RUN_ONLY.some((name) => name in cells);

/** The members of a file set, or of a run with one recipient or none; unknown without such columns. */
function membersOf(cells: CsvRow["cells"], options: CsvFileOptions, issues: string[]): Members {
  if (!isRun(cells)) return typedCells(cells, FILE_SET_FIELDS, options, issues);
  const value = typedCells(cells, RUN, options, issues);
  if (!("id" in cells)) {
    // Rows of one schedule and start are one run.
    const start = Date.parse(String(value.startTime));
    if (Number.isNaN(start) && issues.length === 0) issues.push("startTime is missing or no time");
    value.id = start || 0;
  }
  if (!Object.keys(RECIPIENT_FIELDS).some((name) => name in cells)) return value;
  const recipient = typedCells(cells, RECIPIENT_FIELDS, options, issues);
  const recipients = Object.keys(recipient).length > 0 ? [recipient] : [];
  issues.push(...recipients.flatMap(recipientIssues));
  return { ...value, recipients };
}

/** The values of these fields that are not empty. A cell of the wrong type stays a text. */
function typedCells(
  cells: CsvRow["cells"],
  fields: Readonly<Record<string, Field>>,
  options: SheetTimeOptions,
  issues: string[],
): Members {
  const members: Members = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const cell = cells[name] ?? "";
    if (cell === "") continue;
    if (kind === "date-time") {
      const read = readSheetTime(cell, options);
      if ("issue" in read) issues.push(`${name} ${read.issue}`);
      else members[name] = read.value;
    } else if (kind === "integer" && /^-?\d+$/.test(cell)) members[name] = Number(cell);
    else if (kind === "boolean" && /^(true|false)$/i.test(cell)) {
      members[name] = /^true$/i.test(cell);
    } else members[name] = cell;
  }
  return members;
}

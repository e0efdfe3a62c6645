/** Splits a file into values to import. It is NDJSON, one JSON document, or CSV. */
import { isRow } from "../../../lib/client/row_checks.ts";
import { type Field, FILE_SET_FIELDS, RECIPIENT_FIELDS } from "../../../lib/fields.ts";
import { type ImportValue, recipientIssues, RUN } from "./entries.ts";
import { type CsvRow, csvRows } from "./csv_rows.ts";

/** The longest line that is read: many times the interface's answer with a thousand runs. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The longest document: it is read as one text, and the runtime's texts can't be much longer. */
const MAX_DOCUMENT_BYTES = 500 * 1024 * 1024;
/** How many bytes are read to find out whether a stream is one document. */
const HEAD_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

export class ImportFileError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/** The values in a stream, one group per chunk. Its beginning shows which kind of file it is. */
export async function* splitFile(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ImportValue[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
    // JSON has no byte order mark.
    const whole = continued(head.subarray(hasMark ? 3 : 0), iterator);
    const text = new TextDecoder().decode(head);
    if (/^\s*[^[{\s]/.test(text)) yield* csvValues(whole);
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

/** The allowed columns. Docket's exports may also have a run's duration. */
const COLUMNS = [...Object.keys({ ...FILE_SET_FIELDS, ...RUN, ...RECIPIENT_FIELDS }), "duration"];
const RUN_ONLY = Object.keys(RUN).filter((name) => !Object.hasOwn(FILE_SET_FIELDS, name));
const GROUP = 500;

type Members = Record<string, unknown>;

/** The entries of a CSV file. Consecutive rows of the same run are one run with several recipients. */
async function* csvValues(chunks: AsyncIterable<Uint8Array>) {
  const file = ReadableStream.from(chunks as AsyncIterable<Uint8Array<ArrayBuffer>>);
  let entries: (ImportValue & { readonly value: Members })[] = [];
  for await (const { line, cells, issue } of csvRows(file, COLUMNS, "id")) {
    const value = membersOf(cells);
    const entry = { location: `line ${line}`, value, issue: issue ?? rowIssue(cells, value) };
    const last = entries.at(-1);
    if (!issue && last && keyOf(last.value) === keyOf(value)) {
      const other = Object.keys(RUN).find((name) => last.value[name] !== value[name]);
      if (other) entry.issue = `${other} is not as in ${last.location}, which has the same id`;
      (last.value.recipients as unknown[]).push(...value.recipients as unknown[]);
      // A run with an invalid row is rejected as a whole.
      if (entry.issue && !last.issue) entries.splice(-1, 1, { ...entry, value: last.value });
      continue;
    }
    if (entries.length === GROUP) {
      yield entries;
      entries = [];
    }
    entries.push(entry);
  }
  yield entries;
}

/** Rows with the same key are one entry; each file set is one. */
const keyOf = (value: Members) => value.recipients ? `${value.scheduleId}/${value.id}` : value;

function membersOf(cells: CsvRow["cells"]): Members {
  if (!RUN_ONLY.some((name) => name in cells)) return typedCells(cells, FILE_SET_FIELDS);
  const recipient = typedCells(cells, RECIPIENT_FIELDS);
  const recipients = Object.keys(recipient).length > 0 ? [recipient] : [];
  return { ...typedCells(cells, RUN), recipients };
}

function rowIssue(cells: CsvRow["cells"], { recipients, recipientCount }: Members) {
  if (!Array.isArray(recipients)) return;
  const columns = Object.keys(RECIPIENT_FIELDS);
  if (Number(recipientCount) > 0 && !columns.some((name) => name in cells)) {
    return `recipients are missing: a run needs the columns ${columns.join(", ")}`;
  }
  return recipients.flatMap(recipientIssues).join("; ") || undefined;
}

/** The values of these fields that are not empty. A cell of the wrong type stays a text. */
function typedCells(cells: CsvRow["cells"], fields: Readonly<Record<string, Field>>): Members {
  const members: Members = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const cell = cells[name] ?? "";
    if (cell === "") continue;
    if (kind === "integer" && /^-?\d+$/.test(cell)) members[name] = Number(cell);
    else if (kind === "boolean" && /^(true|false)$/.test(cell)) members[name] = cell === "true";
    else members[name] = cell;
  }
  return members;
}

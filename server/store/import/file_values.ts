/** Cuts a file into values to import: one on each line, a document of many lines, or rows of CSV. */
import { isRow } from "../../../lib/client/row_checks.ts";
import type { Field } from "../../../lib/fields.ts";
import { FILE_SET, type ImportValue, RECIPIENT, recipientIssues, RUN } from "./entries.ts";
import { type CsvRow, csvRows } from "./csv_rows.ts";

/** The longest line that is read: many times an answer of the interface with a thousand runs. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The longest document: it is read as one text, and the runtime has none much longer. */
const MAX_DOCUMENT_BYTES = 500 * 1024 * 1024;
/** How many bytes of a stream show whether it is one document. */
const HEAD_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

export class CutError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/** The values of a stream, in groups of about a chunk. Its beginning shows what kind of file it is. */
export async function* cut(
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
    else if (isDocument(text)) yield await wholeDocument(whole);
    else yield* cutLines(whole);
  } finally {
    await iterator.return?.();
  }
}

/** The first line, or enough to see that it is too long for one entry. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < HEAD_BYTES && !head.includes(NEWLINE)) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = concat(head, value);
  }
  return head;
}

/** Whether a stream that begins like this is one document instead of one value on each line. */
function isDocument(head: string): boolean {
  const [line] = head.trimStart().split("\n", 1);
  try {
    JSON.parse(line);
    return false;
  } catch {
    return /^(\[|\{\s*("(fileSets|pageContext)"\s*:|$))/.test(line);
  }
}

async function* cutLines(
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
    if (rest.length > MAX_LINE_BYTES) throw new CutError(line, "is longer than any entry may be");
  }
  yield valuesIn(rest, line);
}

async function wholeDocument(chunks: AsyncIterable<Uint8Array>): Promise<ImportValue[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.slice());
    size += chunk.length;
    if (size <= MAX_DOCUMENT_BYTES) continue;
    const mib = MAX_DOCUMENT_BYTES / 1024 / 1024;
    throw new CutError(1, `the document is larger than ${mib} MiB: import it as NDJSON`);
  }
  return valuesIn(await new Blob(parts).bytes(), 1);
}

/** The value of some JSON, or those of a list or of an answer; none if it is blank. */
function valuesIn(bytes: Uint8Array, line: number): ImportValue[] {
  const place = `line ${line}`;
  let json: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return [];
    json = JSON.parse(text);
  } catch (error) {
    const [where = ""] = /\(line \d+ column \d+\)$/.exec((error as Error).message) ?? [];
    return [{ place, issue: `is not valid JSON in UTF-8 ${where}`.trim() }];
  }
  const list = isRow(json) && Array.isArray(json.fileSets) ? json.fileSets : json;
  if (!Array.isArray(list)) return [{ place, value: list }];
  return list.map((value, at) => ({ place: `entry ${at + 1} of ${place}`, value }));
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

/** The columns that an import takes; Docket's exports may have a run's duration too. */
const COLUMNS = [...Object.keys({ ...FILE_SET, ...RUN, ...RECIPIENT }), "duration"];
const RUN_ONLY = Object.keys(RUN).filter((name) => !Object.hasOwn(FILE_SET, name));
const GROUP = 500;

type Members = Record<string, unknown>;

/** The entries of a CSV file: rows that follow each other with the same run are one run. */
async function* csvValues(chunks: AsyncIterable<Uint8Array>) {
  const file = ReadableStream.from(chunks as AsyncIterable<Uint8Array<ArrayBuffer>>);
  let entries: (ImportValue & { readonly value: Members })[] = [];
  for await (const { line, cells, issue } of csvRows(file, COLUMNS, "id")) {
    const value = membersOf(cells);
    const entry = { place: `line ${line}`, value, issue: issue ?? rowIssue(cells, value) };
    const last = entries.at(-1);
    if (!issue && last && keyOf(last.value) === keyOf(value)) {
      const other = Object.keys(RUN).find((name) => last.value[name] !== value[name]);
      if (other) entry.issue = `${other} is not as in ${last.place}, which has the same id`;
      (last.value.recipients as unknown[]).push(...value.recipients as unknown[]);
      // A run with a wrong row is not imported in part.
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

/** A file set is an entry of its own. */
const keyOf = (value: Members) => value.recipients ? `${value.scheduleId}/${value.id}` : value;

function membersOf(cells: CsvRow["cells"]): Members {
  if (!RUN_ONLY.some((name) => name in cells)) return typed(cells, FILE_SET);
  const recipient = typed(cells, RECIPIENT);
  return { ...typed(cells, RUN), recipients: Object.keys(recipient).length > 0 ? [recipient] : [] };
}

/** What is wrong with the recipient in a row of a run. */
function rowIssue(cells: CsvRow["cells"], { recipients, recipientCount }: Members) {
  if (!Array.isArray(recipients)) return;
  const columns = Object.keys(RECIPIENT);
  if (Number(recipientCount) > 0 && !columns.some((name) => name in cells)) {
    return `recipients are missing: a run needs the columns ${columns.join(", ")}`;
  }
  return recipients.flatMap(recipientIssues).join("; ") || undefined;
}

/** The cells of those fields that are not empty. A cell that has the wrong kind stays a text. */
function typed(cells: CsvRow["cells"], fields: Readonly<Record<string, Field>>): Members {
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

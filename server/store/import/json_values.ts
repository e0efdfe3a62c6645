/** Cuts a file into JSON values: one on each line, a document of many lines, or rows of CSV. */
import { csvValues } from "./csv_values.ts";

export interface JsonValue {
  readonly bytes: Uint8Array;
  /** The line that it starts on, from 1. */
  readonly line: number;
  /** The position after it, where an import may continue. */
  readonly end: number;
  /** Why it can't be imported, where the bytes don't show it. */
  readonly issue?: string;
}

/** Where to begin in the stream: after a value. */
export interface Position {
  readonly position: number;
  readonly line: number;
}

/** The longest line that is read: many times an answer of the interface with a thousand runs. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The longest document: it is read as one text, and the runtime has none much longer. */
const MAX_DOCUMENT_BYTES = 500 * 1024 * 1024;

/** Thrown if the stream can't be cut, with the line. */
export class CutError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/** How many bytes of a stream show whether it is one document. */
export const HEAD_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

/**
 * The values of a stream, in groups: one on each line (NDJSON), the document that it is, or rows of
 * CSV. The beginning of the stream shows which; from a position, it is one on each line.
 */
export async function* cut(
  chunks: AsyncIterable<Uint8Array>,
  start?: Position,
): AsyncGenerator<readonly JsonValue[]> {
  if (start) return yield* cutLines(chunks, start);
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    const mark = markLength(head);
    const whole = continued(head.subarray(mark), iterator);
    if (isCsv(head)) yield* csvValues(whole);
    else if (isDocument(head)) yield* wholeDocument(whole);
    else yield* cutLines(whole, { position: mark, line: 1 });
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

// JSON has no byte order mark.
function markLength(head: Uint8Array): number {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
}

/** Whether a stream that begins like this is one document instead of one value on each line. */
export function isDocument(head: Uint8Array): boolean {
  const [line] = new TextDecoder().decode(head).trimStart().split("\n", 1);
  try {
    JSON.parse(line);
    return false;
  } catch {
    return /^(\[|\{\s*("(fileSets|pageContext)"\s*:|$))/.test(line);
  }
}

/** Whether a stream that begins like this is CSV instead of JSON. */
export function isCsv(head: Uint8Array): boolean {
  return /^\s*[^[{\s]/.test(new TextDecoder().decode(head));
}

async function* cutLines(
  chunks: AsyncIterable<Uint8Array>,
  start: Position,
): AsyncGenerator<readonly JsonValue[]> {
  let rest: Uint8Array = new Uint8Array();
  let { position, line } = start;
  for await (const chunk of chunks) {
    const values: JsonValue[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at);
      const bytes = rest.length > 0 ? concat(rest, part) : part;
      rest = rest.length > 0 ? new Uint8Array() : rest;
      position += bytes.length + 1;
      if (!isBlank(bytes)) values.push({ bytes, line, end: position });
      line++;
      from = at + 1;
    }
    rest = concat(rest, chunk.subarray(from));
    yield values;
    if (rest.length > MAX_LINE_BYTES) throw new CutError(line, "is longer than any entry may be");
  }
  if (!isBlank(rest)) yield [{ bytes: rest, line, end: position + rest.length }];
}

async function* wholeDocument(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly JsonValue[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.slice());
    size += chunk.length;
    if (size <= MAX_DOCUMENT_BYTES) continue;
    const mib = MAX_DOCUMENT_BYTES / 1024 / 1024;
    throw new CutError(1, `the document is larger than ${mib} MiB: import it as NDJSON`);
  }
  yield [{ bytes: await new Blob(parts).bytes(), line: 1, end: size }];
}

async function* continued(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  while (true) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

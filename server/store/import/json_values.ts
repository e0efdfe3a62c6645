/** Cuts a stream of bytes into JSON values, while holding no more than one of them and a chunk. */

export interface JsonValue {
  readonly bytes: Uint8Array;
  /** The line that it starts on, from 1. */
  readonly line: number;
  /** The position after it, where an import may continue. */
  readonly end: number;
}

/** Where to begin in the stream: after a value. */
export interface Position {
  readonly position: number;
  readonly line: number;
}

/** The largest value that is read: many times an answer of the interface with a thousand runs. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;

/** Thrown if the stream can't be cut, with the line. */
export class CutError extends Error {
  constructor(readonly line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/** How many bytes of a stream show whether it is one document. */
export const HEAD_BYTES = 256 * 1024;
const LIST = "fileSets";

const NEWLINE = 0x0a;
const SPACE = 0x20;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/**
 * The values of a stream, in groups: one on each line (NDJSON), or the objects in the outermost array
 * of a document. The beginning of the stream shows which; from a position, it is one on each line.
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
    yield* isDocument(head) ? cutDocument(whole) : cutLines(whole, { position: mark, line: 1 });
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
  const text = new TextDecoder().decode(head).trimStart();
  if (text.startsWith("[")) return true;
  if (!text.startsWith("{")) return false;
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  try {
    JSON.parse(line);
    return false;
  } catch {
    return /^\{\s*("(fileSets|pageContext)"\s*:|$)/.test(line);
  }
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
    if (rest.length > MAX_VALUE_BYTES) throw new CutError(line, "is longer than any entry may be");
  }
  if (!isBlank(rest)) yield [{ bytes: rest, line, end: position + rest.length }];
}

/** Finds the objects directly inside the outermost array, or inside the array "fileSets". */
async function* cutDocument(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly JsonValue[]> {
  let buffer: Uint8Array = new Uint8Array();
  let base = 0; // Position of the buffer in the stream.
  const scan = documentScan();
  for await (const chunk of chunks) {
    const from = buffer.length;
    buffer = concat(buffer, chunk);
    yield scan.over(buffer, from, base);
    const done = scan.neededFrom(buffer.length);
    buffer = buffer.slice(done);
    base += done;
    if (buffer.length > MAX_VALUE_BYTES) {
      throw new CutError(scan.line(), "is longer than any entry may be");
    }
  }
  scan.finish();
}

/** Scans a document byte by byte. */
function documentScan() {
  let line = 1;
  let depth = 0;
  let listDepth = 0; // Depth inside the array whose objects are wanted; 0 outside.
  let hasList = false;
  let inText = false;
  let isEscaped = false;
  let objectAt = -1; // Both positions are in the buffer at hand.
  let textAt = -1;
  let objectLine = 0;
  let lastText = "";

  /** Scans one byte outside texts, and returns whether it closes a wanted object. */
  function take(byte: number, at: number): boolean {
    if (byte === OPEN || byte === BRACE_OPEN) {
      if (depth === listDepth && listDepth > 0) {
        if (byte === OPEN) rejectElement();
        objectAt = at;
        objectLine = line;
      }
      depth++;
      if (byte === OPEN && listDepth === 0 && (depth === 1 || depth === 2 && lastText === LIST)) {
        listDepth = depth;
        hasList = true;
      }
    } else if (byte === CLOSE || byte === BRACE_CLOSE) {
      if (depth === listDepth) listDepth = 0;
      depth--;
      return depth === listDepth && objectAt >= 0;
    } else if (depth === listDepth && listDepth > 0 && byte > SPACE && byte !== COMMA) {
      rejectElement();
    }
    return false;
  }

  function rejectElement(): never {
    throw new CutError(line, "the list contains something that is not an object");
  }

  return {
    line: () => objectLine || line,
    over(buffer: Uint8Array, from: number, base: number): JsonValue[] {
      const values: JsonValue[] = [];
      for (let at = from; at < buffer.length; at++) {
        const byte = buffer[at];
        if (byte === NEWLINE) line++;
        if (inText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) {
            inText = false;
            // Only at the top, where the member's name says which array follows.
            if (depth === 1) lastText = new TextDecoder().decode(buffer.subarray(textAt + 1, at));
          }
        } else if (byte === QUOTE) {
          if (depth === listDepth && listDepth > 0) rejectElement();
          inText = true;
          textAt = at;
        } else if (take(byte, at)) {
          const bytes = buffer.subarray(objectAt, at + 1);
          values.push({ bytes, line: objectLine, end: base + at + 1 });
          objectAt = -1;
        }
      }
      return values;
    },
    /** The first position in the buffer that is still needed, which becomes its start. */
    neededFrom(length: number): number {
      const from = objectAt >= 0 ? objectAt : inText && depth === 1 ? textAt : length;
      if (objectAt >= 0) objectAt -= from;
      textAt -= from;
      return from;
    },
    finish(): void {
      if (depth !== 0 || inText) throw new CutError(line, "the document ends in the middle");
      if (!hasList) {
        throw new CutError(line, `the document is not a list, and has no list named "${LIST}"`);
      }
    },
  };
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

/** The parts of a one-line query, with their places in it. */

/** A stretch of a query: the index of its first character, and the index after its last one. */
export interface QuerySpan {
  readonly start: number;
  readonly end: number;
}

export interface QueryPart extends QuerySpan {
  /** The part without its quotes. */
  readonly text: string;
  /** Whether any of it was in quotes, so that its characters have no special meaning. */
  readonly isQuoted: boolean;
}

/** A part that is not valid. The message says what is allowed. */
export class InvalidPart extends Error {
  constructor(readonly part: QuerySpan, detail: string) {
    super(detail);
  }
}

/** Splits at separators outside quotes into at most `most` parts, some of which may be empty. */
export function splitParts(
  query: string,
  separator: RegExp,
  { start, end }: QuerySpan = { start: 0, end: query.length },
  most: number = Number.MAX_SAFE_INTEGER,
): QueryPart[] {
  const parts: QueryPart[] = [];
  let inQuotes = false;
  let from = start;
  for (let index = start; index < end; index++) {
    if (query[index] === '"') inQuotes = !inQuotes;
    if (inQuotes || parts.length + 1 >= most || !separator.test(query[index])) continue;
    parts.push(toPart(query, from, index));
    from = index + 1;
  }
  parts.push(toPart(query, from, end));
  return parts;
}

function toPart(query: string, start: number, end: number): QueryPart {
  const raw = query.slice(start, end);
  // Inside quotes, a doubled quote stands for one.
  const text = raw.replace(/"((?:[^"]|"")*)"?/g, (_, quoted) => quoted.replaceAll('""', '"'));
  return { text, isQuoted: raw.includes('"'), start, end };
}

/** Writes a text as a part of a query, in quotes where it needs them. */
export function quotePart(text: string): string {
  const isPlain = /^[^\s":,<>=~.-][^\s":,]*$/.test(text) && !text.includes("..");
  return isPlain ? text : quoted(text);
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The tokens of a one-line query: conditions separated by spaces, parts in double quotes. */

/** A part of a query, with its place in the text. */
export interface QueryPart {
  /** The part without its quotes. */
  readonly text: string;
  /** Whether any of it was in quotes, so that its characters have no special meaning. */
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a part of a query at each separator that is not in quotes. There are at most `most` parts;
 * the last one includes further separators. Empty parts are included.
 */
export function splitParts(
  query: string,
  separator: RegExp,
  start = 0,
  end: number = query.length,
  most: number = Number.MAX_SAFE_INTEGER,
): QueryPart[] {
  const parts: QueryPart[] = [];
  let inQuotes = false;
  let from = start;
  for (let index = start; index < end; index++) {
    if (query[index] === '"') inQuotes = !inQuotes;
    if (inQuotes || parts.length + 1 >= most || !separator.test(query[index])) continue;
    parts.push(partOf(query, from, index));
    from = index + 1;
  }
  parts.push(partOf(query, from, end));
  return parts;
}

function partOf(query: string, start: number, end: number): QueryPart {
  const raw = query.slice(start, end);
  // Inside quotes, a doubled quote stands for one.
  const text = raw.replace(/"((?:[^"]|"")*)"?/g, (_, quoted) => quoted.replaceAll('""', '"'));
  return { text, isQuoted: raw.includes('"'), start, end };
}

/** Writes a text as a part of a query, in quotes where it needs them. */
export function quotePart(text: string): string {
  const isPlain = /^[^\s":,<>=~.-][^\s":,]*$/.test(text) && !text.includes("..");
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** Writes a text to be searched for by itself, in quotes where it needs them. */
export function quoteWord(text: string): string {
  return isPlainWord(text) ? quotePart(text) : `"${text.replaceAll('"', '""')}"`;
}

/** Whether a word can only be a text: it does not look like a comparison or like logic. */
export function isPlainWord(text: string): boolean {
  return !/[<>=()]/.test(text) && text !== "AND" && text !== "OR";
}

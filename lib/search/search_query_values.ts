/** The parts of a one-line query, and its values: texts, numbers, dates and recipients. */
import { nearestWord } from "../terminal.ts";
import { DATE_RANGES, dateRange, isDateRange, parseCalendarRange } from "./date_ranges.ts";
import { COMPARISON_SIGNS, type QueryField, readUnits } from "./query_table.ts";
import type { DateFilter, Filter } from "../types.ts";

export interface QueryPart {
  /** The part without its quotes. */
  readonly text: string;
  /** Whether any of it was in quotes, so that its characters have no special meaning. */
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
}

/** Splits at separators outside quotes into at most `most` parts, some of which may be empty. */
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
  // An address without quotes would be read as a recipient.
  const isText = isPlainWord(text) && !text.includes("@");
  return isText ? quotePart(text) : `"${text.replaceAll('"', '""')}"`;
}

/** Whether a word is plain text, without any sign of a comparison or of logic. */
export function isPlainWord(text: string): boolean {
  return !/[<>=()]/.test(text) && text !== "AND" && text !== "OR";
}

/** How dates in a query are read. */
export interface DateOptions {
  /** The current time, in milliseconds since 1970, for ranges such as `last-month`. Default: now. */
  readonly now?: number;
  /** IANA name of the zone in which days begin. Default: UTC. */
  readonly zone?: string;
}

export interface QueryOptions extends DateOptions {
  /** Finds the user id of a name or an address, or returns a sentence that says why it can't. */
  readonly findRecipient?: (typed: string) => number | string;
}

export type QuerySpan = Pick<QueryPart, "start" | "end">;

export class InvalidPart extends Error {
  /** The parameter `instead` is a suggested replacement. */
  constructor(readonly part: QuerySpan, detail: string, readonly instead?: string) {
    super(detail);
  }
}

/** Reads values of a text field: equal to any of them, or containing any of them after `~`. */
export function readTexts(
  query: string,
  { start, end }: QuerySpan,
  { kind, choices }: QueryField,
): Omit<Filter, "field"> {
  const contains = query[start] === "~";
  const values = splitList(query, { start: contains ? start + 1 : start, end });
  return {
    operator: contains || kind === "words" ? "LIKE" : "EQUALS",
    value: values.map((part) => {
      requireText(part);
      return choices ? readChoice(part, choices) : part.text;
    }),
  };
}

function readChoice(part: QueryPart, choices: Readonly<Record<string, string>>): string {
  const word = part.text.toLowerCase();
  if (Object.hasOwn(choices, word)) return choices[word];
  const known = Object.keys(choices);
  throw new InvalidPart(part, `Write ${known.join(" or ")}`, nearestWord(word, known));
}

function requireText(part: QueryPart): void {
  if (part.text === "" && !part.isQuoted) throw new InvalidPart(part, "A value is missing");
}

/** Reads numbers: values, a comparison, or a range of two bounds. */
export function readNumbers(
  query: string,
  value: QuerySpan,
  { kind }: QueryField,
): Omit<Filter, "field">[] {
  const text = query.slice(value.start, value.end);
  const [operator, sign] =
    Object.entries(COMPARISON_SIGNS).find(([, sign]) => text.startsWith(sign)) ?? [];
  const readNumber = (part: string) => {
    const typed = part.replaceAll('"', "");
    if (kind === "seconds" || kind === "bytes") {
      const number = readUnits(typed, kind);
      if (number !== undefined) return number;
      const example = kind === "seconds"
        ? "a duration, such as 90s, >5m, <=2h or 1m..5m"
        : "a size, such as 500KB, >1.5MB or 1MB..2MB";
      throw new InvalidPart(value, `Write ${example}`);
    }
    // The part of 27,000 after the comma would be read as a second number.
    if (/^0\d/.test(typed)) {
      throw new InvalidPart(value, "Write a number without commas or leading zeros, such as 27000");
    }
    if (/^-?\d+$/.test(typed)) return typed;
    throw new InvalidPart(value, "Write a number, such as 100, >100, <=100 or 10..100");
  };
  if (sign) return [{ operator, value: [readNumber(text.slice(sign.length))] }];
  const bounds = text.split("..");
  if (bounds.length === 2) {
    const [least, most] = bounds.map(readNumber);
    if (+least > +most) throw new InvalidPart(value, `${bounds[0]} is more than ${bounds[1]}`);
    return [
      { operator: "GREATER_THAN_OR_EQUAL", value: [least] },
      { operator: "LESS_THAN_OR_EQUAL", value: [most] },
    ];
  }
  const numbers = splitList(query, value).map(({ text }) => readNumber(text));
  return [{ operator: "EQUALS", value: numbers }];
}

/** Reads recipients: domains such as `@example.com`, or user ids, names and addresses. */
export function readRecipients(
  query: string,
  value: QuerySpan,
  { findRecipient = () => "Write a user id, or a domain such as @example.com" }: QueryOptions,
): Filter {
  const parts = splitList(query, value);
  parts.forEach(requireText);
  if (parts.some(({ text }) => text.startsWith("@"))) {
    const domains = parts.map(({ text }) => DOMAIN.exec(text)?.[1].toLowerCase());
    const invalid = parts[domains.indexOf(undefined)];
    if (invalid) throw new InvalidPart(invalid, "Write a domain, such as @example.com");
    return { field: "recipientDomain", operator: "EQUALS", value: domains as string[] };
  }
  const ids = parts.map((part) => {
    const found = /^\d+$/.test(part.text) ? Number(part.text) : findRecipient(part.text);
    if (typeof found === "string") throw new InvalidPart(part, found);
    if (!Number.isSafeInteger(found)) {
      throw new InvalidPart(part, "Write a user id with fewer digits");
    }
    return String(found);
  });
  return { field: "recipient", operator: "EQUALS", value: ids };
}

export const DOMAIN: RegExp = /^@([^\s@",:]+\.[^\s@",:.]+)$/;

/** Reads a range of dates: a name, a day, month or year, or two bounds. */
export function readDates(
  query: string,
  value: QuerySpan,
  { now = Date.now(), zone = "UTC" }: DateOptions,
): Pick<DateFilter, "start" | "end" | "range"> {
  const text = query.slice(value.start, value.end).replaceAll('"', "");
  if (isDateRange(text)) return { ...dateRange(text, now, zone), range: text };
  const bounds = text.split("..");
  const [first, last = first] = bounds;
  const start = boundOf(first, zone);
  const end = boundOf(last, zone);
  const isSingleTime = bounds.length === 1 && start?.start === start?.end;
  if (bounds.length > 2 || !start || !end || isSingleTime) {
    const comparison = dateComparison(text);
    if (comparison) throw new InvalidPart(value, `Write ${comparison}`, comparison);
    const missing = bounds.find((bound) => CALENDAR.test(bound) && !boundOf(bound, zone));
    if (missing) {
      const start = query.indexOf(missing, value.start);
      const unit = missing.length === "2026-01".length ? "month" : "day";
      throw new InvalidPart({ start, end: start + missing.length }, `There is no such ${unit}`);
    }
    throw new InvalidPart(
      value,
      `Write a date such as 2026-01-31, a range such as 2026-01..2026-03, or one of ${
        DATE_RANGES.join(", ")
      }`,
      nearestWord(text, DATE_RANGES),
    );
  }
  if (start.start && end.end && Date.parse(start.start) > Date.parse(end.end)) {
    throw new InvalidPart(value, `${first} is after ${last}`);
  }
  return {
    ...(start.start === undefined ? {} : { start: start.start }),
    ...(end.end === undefined ? {} : { end: end.end }),
  };
}

/** The range that a comparison with a date, such as `>2026-01-31`, stands for. */
export function dateComparison(text: string): string | undefined {
  const [, sign, day] = /^([<>])=?([\d-]+)$/.exec(text) ?? [];
  return sign && (sign === "<" ? `..${day}` : `${day}..`);
}

/** A day or a month, which may not exist. */
const CALENDAR = /^\d{4}(-\d\d){1,2}$/;

/** One bound of a range: nothing, a date-time with a zone, or a day, month or year. */
function boundOf(text: string, zone: string): { start?: string; end?: string } | undefined {
  if (text === "") return {};
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) {
    return { start: text, end: text };
  }
  return parseCalendarRange(text, zone);
}

export function splitList(query: string, { start, end }: QuerySpan): QueryPart[] {
  return splitParts(query, /,/, start, end);
}

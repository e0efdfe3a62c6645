/** One-line queries, such as `owner:Logistics -permission:READ sort:-updated payroll`. */
import { wholeNumber } from "../format.ts";
import type { FieldSort, Filter, SearchBody } from "../types.ts";
import { type DateOptions, readDates } from "./date_ranges.ts";
import { InvalidPart, type QueryPart, type QuerySpan, splitParts } from "./query_parts.ts";
import {
  DATE_OPERATOR,
  FILE_SET_QUERY,
  KIND_OPERATORS,
  OPERATOR_SIGNS,
  type QueryField,
  queryField,
  type QueryKind,
  queryNames,
  type QueryTable,
  readUnits,
} from "./query_table.ts";

/** A parsed query. */
export interface ParsedQuery {
  /** The search, without the parts that are not valid. */
  readonly body: SearchBody;
  /** The parts that are not valid, in the order of the text. */
  readonly issues: readonly {
    /** Index of its first character. */
    readonly start: number;
    /** Index after its last character. */
    readonly end: number;
    /** What is wrong, and what is allowed. */
    readonly detail: string;
  }[];
}

/**
 * Parses a query for file sets. Its conditions are separated by spaces, and all of them must match:
 *
 * - `payroll` or `"annual payroll"`: the name contains the text
 * - `owner:Finance,Legal`: the field has one of the values
 * - `owner:~fin`: the field contains the text
 * - `files:>100`, `files:10..20`: comparisons of numbers
 * - `updated:last-month`, `created:2026-01..2026-03-15`: dates, both ends included
 * - `no:description`, `has:owner`: the field has no value, or has one; `has:files`: not zero
 * - `colour:MATCHES:red`: any field with any operator
 * - `sort:-updated,name`: sort keys, descending with `-`
 *
 * A leading `-` negates a condition, but not a range of numbers. Texts with spaces, commas or colons
 * go into double quotes.
 *
 * @param query The query.
 * @param options For dates: the current time in milliseconds since 1970 (default: now), and the IANA
 * name of the zone in which days begin (default: UTC).
 * @returns The search, and the parts of the query that are not valid.
 *
 * @example
 * ```ts
 * import { parseSearchQuery } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const { body, issues } = parseSearchQuery("owner:Finance,Legal -files:0 sort:-updated");
 * assertEquals(body.filters, [
 *   { field: "owner", operator: "EQUALS", value: ["Finance", "Legal"] },
 *   { field: "fileCount", operator: "EQUALS", value: ["0"], not: true },
 * ]);
 * assertEquals(body.fieldSort, [{ field: "updated", order: "DESC" }]);
 * assertEquals(issues, []);
 * ```
 */
export function parseSearchQuery(
  query: string,
  options: { readonly now?: number; readonly zone?: string } = {},
): ParsedQuery {
  return parseQuery(query, FILE_SET_QUERY, options);
}

export function parseQuery(
  query: string,
  table: QueryTable,
  options: QueryOptions = {},
): ParsedQuery {
  const conditions = splitParts(query, /\s/).filter(({ start, end }) => start < end);
  return collect(conditions, (whole) => readCondition(query, whole, table, options));
}

/** Parses sort keys as they stand after `sort:`, such as `-updated,name`. */
export function parseSort(sort: string, table: QueryTable): ParsedQuery {
  const keys = sort === "" ? [] : splitParts(sort, /,/);
  return collect(keys, (key) => ({ fieldSort: [readSortKey(sort, key, table)] }));
}

function collect(
  parts: readonly QueryPart[],
  read: (part: QueryPart) => SearchBody,
): ParsedQuery {
  const bodies: SearchBody[] = [];
  const issues: ParsedQuery["issues"][number][] = [];
  for (const part of parts) {
    try {
      bodies.push(read(part));
    } catch (error) {
      if (!(error instanceof InvalidPart)) throw error;
      const { part: { start, end }, message: detail } = error;
      issues.push({ start, end, detail });
    }
  }
  return { body: joinSearches(...bodies), issues };
}

/** Combines searches: rows must match all. Sort keys of earlier searches are more significant. */
export function joinSearches(...bodies: readonly SearchBody[]): SearchBody {
  const fieldSort = bodies.flatMap(({ fieldSort = [] }) => fieldSort);
  const filters = bodies.flatMap(({ filters = [] }) => filters);
  const dateFilters = bodies.flatMap(({ dateFilters = [] }) => dateFilters);
  return {
    ...fieldSort.length > 0 && { fieldSort },
    ...filters.length > 0 && { filters },
    ...dateFilters.length > 0 && { dateFilters },
  };
}

function readCondition(
  query: string,
  whole: QueryPart,
  table: QueryTable,
  options: QueryOptions,
): SearchBody {
  const { start, end } = whole;
  const isNegated = query[start] === "-";
  const not = isNegated ? { not: true as const } : {};
  if ((query.slice(start, end).match(/"/g)?.length ?? 0) % 2 > 0) {
    throw new InvalidPart(whole, "The closing quote is missing");
  }
  const rest = { start: isNegated ? start + 1 : start, end };
  const [key, first, second] = splitParts(query, /:/, rest, 3);
  if (!first) {
    if (key.text === "") throw new InvalidPart(whole, "A text is missing after -");
    if (!key.isQuoted) requirePlainWord(key, table);
    return { filters: [{ field: table.words, operator: "LIKE", value: [key.text], ...not }] };
  }
  const value = { start: first.start, end };
  const keyword = key.isQuoted ? "" : key.text;
  if (keyword === "sort") {
    if (isNegated) throw new InvalidPart(whole, "Write sort:-updated to sort in descending order");
    const keys = splitParts(query, /,/, value);
    return { fieldSort: keys.map((part) => readSortKey(query, part, table)) };
  }
  if (/^(no|has)$/.test(keyword) && !second) {
    const field = readField(first, table, first.isQuoted);
    return { filters: [presence(field, keyword === "has", isNegated, table)] };
  }
  if (second && (first.isQuoted || /^[A-Z][A-Z_]*$/.test(first.text))) {
    const field = readField(key, table, true);
    if (first.text === DATE_OPERATOR && !first.isQuoted) {
      return { dateFilters: [{ field, ...readDates(query, second, options), ...not }] };
    }
    const texts = second.start === end ? [] : splitParts(query, /,/, second);
    const values = texts.map(({ text }) => text);
    return { filters: [{ field, operator: first.text, value: values, ...not }] };
  }
  const field = readField(key, table);
  const known = table.fields[field];
  if (known.kind === "date-time") {
    return { dateFilters: [{ field, ...readDates(query, value, options), ...not }] };
  }
  const filters = readFilters(query, value, known, options);
  if (isNegated && filters.length > 1) {
    const side = `${known.name}:<${filters[0].value}`;
    throw new InvalidPart(whole, `A range can't be negated: write one side, such as ${side}`);
  }
  return { filters: filters.map((filter) => ({ field, ...filter, ...not })) };
}

/** The condition that a field has a value, or has none; for a count, that it is not zero. */
function presence(field: string, has: boolean, isNegated: boolean, table: QueryTable): Filter {
  const isCount = has && table.fields[field]?.kind === "count";
  const [operator, value] = isCount ? ["GREATER_THAN", ["0"]] as const : ["IS_NULL", []] as const;
  const not = isCount || !has ? isNegated : !isNegated;
  return { field, operator, value, ...not && { not } };
}

/** Throws if a word seems to be meant as a condition, so that it is not searched for as a text. */
function requirePlainWord(word: QueryPart, table: QueryTable): void {
  const { text } = word;
  if (text === "AND") throw new InvalidPart(word, "Leave out AND: all conditions must match");
  if (text === "OR") {
    throw new InvalidPart(word, "To match any of several values, write them with commas: a,b");
  }
  if (table.fields.recipient && /^[^\s@]+@[^\s@]+$/.test(text)) {
    throw new InvalidPart(word, "Write recipient: before an address");
  }
  if (/[<>=()]/.test(text)) {
    const detail =
      'Write field:value or field:>value, and a text with one of < > = ( ) in "quotes"';
    throw new InvalidPart(word, detail);
  }
}

/** Reads a sort key: `field`, `-field` or `field:ORDER`. */
function readSortKey(query: string, part: QuerySpan, table: QueryTable): FieldSort {
  const { start, end } = part;
  const isDescending = query[start] === "-";
  const name = { start: isDescending ? start + 1 : start, end };
  const [key, order] = splitParts(query, /:/, name, 2);
  const field = readField(key, table, key.isQuoted || order !== undefined);
  if (order && isDescending) {
    throw new InvalidPart(part, "Write either - or the order after the field");
  }
  return { field, order: order ? order.text || "ASC" : isDescending ? "DESC" : "ASC" };
}

/** The field that a part names; with `mayBeOther`, also one that the table lacks. */
function readField(part: QueryPart, table: QueryTable, mayBeOther = false): string {
  const { text, isQuoted } = part;
  const known = mayBeOther && isQuoted ? undefined : queryField(table, text);
  if (known) return known;
  if (mayBeOther && text !== "") return text;
  const names = queryNames(table);
  const what = text === "" ? "A field is missing here" : `No field is called ${text}`;
  const advice = 'To search for a text with a colon, put it in "double quotes"';
  const detail = `${what}. Fields: ${names.join(", ")}. ${advice}`;
  throw new InvalidPart(part, detail);
}

export interface QueryOptions extends DateOptions {
  /** Finds the user id of a name or an address, or returns a sentence that says why it can't. */
  readonly findRecipient?: (typed: string) => number | string;
}

/** Reads the values of a field's condition, and the sign of its operator before them. */
function readFilters(
  query: string,
  value: QuerySpan,
  { kind, choices }: QueryField,
  options: QueryOptions,
): (Omit<Filter, "field"> & Partial<Filter>)[] {
  if (KIND_OPERATORS[kind].includes("GREATER_THAN")) return readNumbers(query, value, kind);
  const [operator, sign] = readSign(query.slice(value.start), kind);
  const parts = splitParts(query, /,/, { ...value, start: value.start + sign.length });
  const empty = parts.find(({ text, isQuoted }) => text === "" && !isQuoted);
  if (empty) throw new InvalidPart(empty, "A value is missing");
  if (kind === "recipient") return [readRecipients(parts, options)];
  return [{
    operator,
    value: parts.map((part) => choices ? readChoice(part, choices) : part.text),
  }];
}

/** The operator whose sign a text begins with, and the sign; or the usual one, which needs none. */
function readSign(text: string, kind: QueryKind): readonly [operator: string, sign: string] {
  const fitting: readonly string[] = KIND_OPERATORS[kind];
  const signs = Object.entries(OPERATOR_SIGNS).filter(([operator]) => fitting.includes(operator));
  return signs.find(([, sign]) => text.startsWith(sign)) ?? [fitting[0], ""];
}

function readChoice(part: QueryPart, choices: Readonly<Record<string, string>>): string {
  const word = part.text.toLowerCase();
  if (Object.hasOwn(choices, word)) return choices[word];
  throw new InvalidPart(part, `Write ${Object.keys(choices).join(" or ")}`);
}

/** Reads recipients: domains such as `@example.com`, or user ids, names and addresses. */
function readRecipients(
  parts: readonly QueryPart[],
  { findRecipient = () => "Write a user id, or a domain such as @example.com" }: QueryOptions,
): Filter {
  const areDomains = parts.some(({ text }) => text.startsWith("@"));
  const value = parts.map((part) => {
    if (areDomains) {
      const [, domain] = /^@([^\s@",:]+\.[^\s@",:.]+)$/.exec(part.text) ?? [];
      if (domain) return domain.toLowerCase();
      throw new InvalidPart(part, "Write a domain, such as @example.com");
    }
    const found = wholeNumber(part.text) ?? findRecipient(part.text);
    if (typeof found === "string") throw new InvalidPart(part, found);
    return String(found);
  });
  return { field: areDomains ? "recipientDomain" : "recipient", operator: "EQUALS", value };
}

/** Reads numbers: values, a comparison, or a range of two bounds. */
function readNumbers(
  query: string,
  value: QuerySpan,
  kind: QueryKind,
): Omit<Filter, "field">[] {
  const text = query.slice(value.start, value.end).replaceAll('"', "");
  const read = (typed: string) => readNumber(typed, value, kind);
  const [operator, sign] = readSign(text, kind);
  if (sign) return [{ operator, value: [read(text.slice(sign.length))] }];
  const bounds = text.split("..");
  if (bounds.length !== 2) return [{ operator: "EQUALS", value: text.split(",").map(read) }];
  const [least, most] = bounds.map(read);
  if (+least > +most) throw new InvalidPart(value, `${bounds[0]} is more than ${bounds[1]}`);
  return [
    { operator: "GREATER_THAN_OR_EQUAL", value: [least] },
    { operator: "LESS_THAN_OR_EQUAL", value: [most] },
  ];
}

function readNumber(text: string, value: QuerySpan, kind: QueryKind): string {
  if (kind === "seconds" || kind === "bytes") {
    const number = readUnits(text, kind);
    if (number !== undefined) return number;
    const example = kind === "seconds"
      ? "a duration, such as 90s, >5m, <=2h or 1m..5m"
      : "a size, such as 500KB, >1.5MB or 1MB..2MB";
    throw new InvalidPart(value, `Write ${example}`);
  }
  // The part of 27,000 after the comma would be read as a second number.
  if (/^(-?[1-9]\d*|0)$/.test(text)) return text;
  throw new InvalidPart(value, "Write a number, such as 27000, >100, <=100 or 10..100");
}

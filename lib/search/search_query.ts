/** One-line queries, such as `owner:Logistics -permission:READ sort:-updated payroll`. */
import { nearestWord } from "../terminal.ts";
import { joinSearches } from "./search_url.ts";
import {
  DATE_OPERATOR,
  FILE_SET_QUERY,
  queryField,
  queryNames,
  type QueryTable,
} from "./query_table.ts";
import {
  dateComparison,
  InvalidPart,
  isPlainWord,
  type QueryOptions,
  type QueryPart,
  type QuerySpan,
  quoteWord,
  readDates,
  readNumbers,
  readRecipients,
  readTexts,
  splitList,
  splitParts,
} from "./search_query_values.ts";
import type { FieldSort, Filter, SearchBody } from "../types.ts";

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
    /** A suggested replacement, if there is one. */
    readonly instead?: string;
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
 * A leading `-` negates a condition. Texts with spaces, commas or colons go into double quotes.
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

export function parseQuery(query: string, table: QueryTable, options: QueryOptions): ParsedQuery {
  const conditions: SearchBody[] = [];
  const issues: ParsedQuery["issues"][number][] = [];
  for (const { start, end } of splitParts(query, /\s/)) {
    if (start === end) continue;
    try {
      conditions.push(readCondition(query, { start, end }, table, options));
    } catch (error) {
      if (!(error instanceof InvalidPart)) throw error;
      const { part, message: detail, instead } = error;
      const { start, end } = part;
      issues.push({ start, end, detail, ...(instead === undefined ? {} : { instead }) });
    }
  }
  return { body: joinSearches(...conditions), issues };
}

/** The query with each issue replaced as suggested; undefined if one has no suggestion. */
export function correctedQuery(query: string, issues: ParsedQuery["issues"]): string | undefined {
  if (issues.length === 0 || issues.some(({ instead }) => instead === undefined)) return undefined;
  return issues.toReversed().reduce(
    (text, { start, end, instead }) => text.slice(0, start) + instead + text.slice(end),
    query,
  ).trim();
}

function readCondition(
  query: string,
  whole: QuerySpan,
  table: QueryTable,
  options: QueryOptions,
): SearchBody {
  const { start, end } = whole;
  const isNegated = query[start] === "-";
  const not = isNegated ? { not: true as const } : {};
  if ((query.slice(start, end).match(/"/g)?.length ?? 0) % 2 > 0) {
    throw new InvalidPart(whole, "The closing quote is missing");
  }
  const [key, ...rest] = splitParts(query, /:/, isNegated ? start + 1 : start, end, 3);
  if (rest.length === 0) {
    if (key.text === "") throw new InvalidPart(whole, "A text is missing after -");
    if (!key.isQuoted) requirePlainWord(key, table);
    return { filters: [{ field: table.words, operator: "LIKE", value: [key.text], ...not }] };
  }
  const [first, second] = rest;
  const value = { start: first.start, end };
  if (!key.isQuoted && key.text === "sort") {
    if (isNegated) throw new InvalidPart(whole, "Write sort:-updated to sort in descending order");
    const keys = splitList(query, value).map((part) => readSortKey(query, part, whole, table));
    return { fieldSort: keys };
  }
  if (!key.isQuoted && /^(no|has)$/.test(key.text) && !second) {
    const field = first.isQuoted
      ? first.text
      : knownField(first, whole, `after ${key.text}:`, table);
    return { filters: [presence(field, key.text === "has", isNegated, table)] };
  }
  const isOperator = first.isQuoted || /^[A-Z][A-Z_]*$/.test(first.text);
  if (second && isOperator) {
    const field = key.isQuoted ? key.text : queryField(table, key.text) ?? key.text;
    if (field === "") throw missingField(whole, BEFORE_COLON);
    if (first.text === DATE_OPERATOR && !first.isQuoted) {
      return { dateFilters: [{ field, ...readDates(query, second, options), ...not }] };
    }
    const values = second.start === end ? [] : splitList(query, second).map(({ text }) => text);
    return { filters: [{ field, operator: first.text, value: values, ...not }] };
  }
  const field = knownField(key, whole, BEFORE_COLON, table);
  const known = table.fields[field];
  switch (known.kind) {
    case "date-time":
      return { dateFilters: [{ field, ...readDates(query, value, options), ...not }] };
    case "integer":
    case "count":
    case "seconds":
    case "bytes":
      return {
        filters: readNumbers(query, value, known).map((filter) => ({ field, ...filter, ...not })),
      };
    case "recipient":
      return { filters: [{ ...readRecipients(query, value, options), ...not }] };
    default:
      return { filters: [{ field, ...readTexts(query, value, known), ...not }] };
  }
}

/** The condition that a field has a value, or has none; for a count, that it is not zero. */
function presence(field: string, has: boolean, isNegated: boolean, table: QueryTable): Filter {
  if (has && table.fields[field]?.kind === "count") {
    const filter = { field, operator: "GREATER_THAN", value: ["0"] };
    return isNegated ? { ...filter, not: true } : filter;
  }
  const filter = { field, operator: "IS_NULL", value: [] };
  return has === isNegated ? filter : { ...filter, not: true };
}

/** Throws if a word seems to be meant as a condition, so that it is not searched for as a text. */
function requirePlainWord(word: QueryPart, table: QueryTable): void {
  const { text } = word;
  if (isPlainWord(text)) {
    if (!/^[^\s@]+@[^\s@]+$/.test(text) || !table.fields.recipient) return;
    throw new InvalidPart(word, "Write recipient: before an address", `recipient:${text}`);
  }
  if (text === "OR") {
    throw new InvalidPart(word, "To match any of several values, write them with commas: a,b");
  }
  if (text === "AND") throw new InvalidPart(word, "Leave out AND: all conditions must match", "");
  const [, name, sign, value] = /^([\w-]+)([<>]=?|=)(.+)$/.exec(text) ?? [];
  const near = name && nearestWord(name, queryNames(table));
  const field = name && (queryField(table, name) ?? (near && queryField(table, near)));
  if (field) {
    const known = table.fields[field];
    const compared = sign === "=" ? value : sign + value;
    const instead = known.kind === "date-time" ? dateComparison(compared) ?? compared : compared;
    throw new InvalidPart(
      word,
      "A colon is missing after the field",
      `${known.name}:${instead}`,
    );
  }
  const bare = text.replace(/[()]/g, "");
  throw new InvalidPart(
    word,
    'Put a text with parentheses or one of < > = in "double quotes"',
    isPlainWord(bare) && bare !== "" ? bare : quoteWord(text),
  );
}

/** Reads a sort key: `field`, `-field` or `field:ORDER`. */
function readSortKey(
  query: string,
  { start, end }: QueryPart,
  whole: QuerySpan,
  table: QueryTable,
): FieldSort {
  const isDescending = query[start] === "-";
  const [key, order] = splitParts(query, /:/, isDescending ? start + 1 : start, end, 2);
  const where = "after sort:";
  const field = key.isQuoted
    ? key.text
    : order
    ? queryField(table, key.text) ?? key.text
    : knownField(key, whole, where, table);
  if (field === "") throw missingField(whole, where);
  if (order && isDescending) {
    throw new InvalidPart({ start, end }, "Write either - or the order after the field");
  }
  return { field, order: order ? order.text || "ASC" : isDescending ? "DESC" : "ASC" };
}

const BEFORE_COLON = "before the colon";

function missingField(whole: QuerySpan, where: string): InvalidPart {
  return new InvalidPart(whole, `A field is missing ${where}`);
}

/** The field that a part of the condition `whole` names; `where` is for the message. */
function knownField(part: QueryPart, whole: QuerySpan, where: string, table: QueryTable): string {
  const field = queryField(table, part.text);
  if (field) return field;
  if (part.text === "") throw missingField(whole, where);
  const names = queryNames(table);
  throw new InvalidPart(
    part,
    `No field is called ${part.text}. Fields: ${
      names.join(", ")
    }. To search for a text with a colon, put it in "double quotes"`,
    nearestWord(part.text, names),
  );
}

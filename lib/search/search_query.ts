/**
 * One-line queries for file sets, such as
 * `owner:Logistics -permission:READ updated:last-month sort:-updated payroll`.
 */
import { FILE_SET_FIELDS } from "../fields.ts";
import { joinSearches } from "./search_url.ts";
import { DATE_OPERATOR, queryField, queryName } from "./search_query_names.ts";
import { type QueryPart, splitParts } from "./search_query_tokens.ts";
import {
  type DateOptions,
  InvalidPart,
  list,
  type QuerySpan,
  readDates,
  readNumbers,
  readTexts,
} from "./search_query_values.ts";
import type { FieldSort, FileSetField, SearchBody } from "../types.ts";

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
 * Parses a query. Its conditions are separated by spaces, and all of them have to match:
 *
 * - `payroll` or `"annual payroll"`: the name contains the text
 * - `owner:Finance,Legal`: the field has one of the values
 * - `owner:~fin`: the field contains the text
 * - `files:>100`, `files:10..20`: comparisons of numbers
 * - `updated:last-month`, `created:2026-01..2026-03-15`: dates, both ends included
 * - `no:description`: the field has no value
 * - `colour:MATCHES:red`: any field with any operator
 * - `sort:-updated,name`: sort keys, descending with `-`
 *
 * A leading `-` negates a condition. Texts with spaces, commas or colons go into double quotes.
 *
 * @param options How dates are read.
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
  const conditions: SearchBody[] = [];
  const issues: ParsedQuery["issues"][number][] = [];
  for (const { start, end } of splitParts(query, /\s/)) {
    if (start === end) continue;
    try {
      conditions.push(readCondition(query, start, end, options));
    } catch (error) {
      if (!(error instanceof InvalidPart)) throw error;
      issues.push({ start: error.part.start, end: error.part.end, detail: error.message });
    }
  }
  return { body: joinSearches(...conditions), issues };
}

/** Reads one condition, or one list of sort keys. */
function readCondition(
  query: string,
  start: number,
  end: number,
  options: DateOptions,
): SearchBody {
  const isNegated = query[start] === "-";
  const not = isNegated ? { not: true as const } : {};
  const whole = { start, end };
  if ((query.slice(start, end).match(/"/g)?.length ?? 0) % 2 > 0) {
    throw new InvalidPart(whole, "The closing quote is missing");
  }
  const [key, ...rest] = splitParts(query, /:/, isNegated ? start + 1 : start, end, 3);
  if (rest.length === 0) {
    if (key.text === "") throw new InvalidPart(whole, "A text is missing after -");
    return { filters: [{ field: "name", operator: "LIKE", value: [key.text], ...not }] };
  }
  const [first, second] = rest;
  const value = { start: first.start, end };
  if (!key.isQuoted && key.text === "sort") {
    if (isNegated) throw new InvalidPart(whole, "Write sort:-updated to sort in descending order");
    return { fieldSort: list(query, value).map((part) => readSortKey(query, part, whole)) };
  }
  if (!key.isQuoted && key.text === "no" && !second) {
    const field = first.isQuoted ? first.text : knownField(first, whole, "after no:");
    return { filters: [{ field, operator: "IS_NULL", value: [], ...not }] };
  }
  const isOperator = first.isQuoted || /^[A-Z][A-Z_]*$/.test(first.text);
  if (second && isOperator) {
    const field = key.isQuoted ? key.text : queryField(key.text) ?? key.text;
    if (field === "") throw missingField(whole, BEFORE_COLON);
    if (first.text === DATE_OPERATOR && !first.isQuoted) {
      return { dateFilters: [{ field, ...readDates(query, second, options), ...not }] };
    }
    const values = second.start === end ? [] : list(query, second).map(({ text }) => text);
    return { filters: [{ field, operator: first.text, value: values, ...not }] };
  }
  const field = knownField(key, whole, BEFORE_COLON);
  switch (FILE_SET_FIELDS[field].kind as string) {
    case "date-time":
      return { dateFilters: [{ field, ...readDates(query, value, options), ...not }] };
    case "integer":
      return { filters: readNumbers(query, value).map((filter) => ({ field, ...filter, ...not })) };
    default:
      return { filters: [{ field, ...readTexts(query, value), ...not }] };
  }
}

/** Reads a sort key: `field`, `-field` or `field:ORDER`. */
function readSortKey(query: string, { start, end }: QueryPart, whole: QuerySpan): FieldSort {
  const isDescending = query[start] === "-";
  const [key, order] = splitParts(query, /:/, isDescending ? start + 1 : start, end, 2);
  const place = "after sort:";
  const field = key.isQuoted || order
    ? queryField(key.text) ?? key.text
    : knownField(key, whole, place);
  if (field === "") throw missingField(whole, place);
  if (order && isDescending) {
    throw new InvalidPart({ start, end }, "Write either - or the order after the field");
  }
  return { field, order: order ? order.text || "ASC" : isDescending ? "DESC" : "ASC" };
}

const BEFORE_COLON = "before the colon";

function missingField(whole: QuerySpan, place: string): InvalidPart {
  return new InvalidPart(whole, `A field is missing ${place}`);
}

/** The field that a part of the condition `whole` names; `place` says where it should. */
function knownField(part: QueryPart, whole: QuerySpan, place: string): FileSetField {
  const field = queryField(part.text);
  if (field) return field;
  if (part.text === "") throw missingField(whole, place);
  throw new InvalidPart(
    part,
    `No field is called ${part.text}. Fields: ${
      [...Object.keys(FILE_SET_FIELDS)].map(queryName).join(", ")
    }. To search for a text with a colon, put it in "double quotes"`,
  );
}

/**
 * The search in the URL: a view of file sets or runs as query parameters, both ways.
 *
 * - `filter=[!]field:OPERATOR:v1,v2`, repeatable; without values, `filter=[!]field:OPERATOR`
 * - `date=[!]field:start..end`, repeatable; either bound may be empty; or `date=[!]field:last-month`
 *   or another named range, whose dates are computed whenever the link is opened
 * - `sort=field:ORDER`, repeatable, most significant first
 * - `limit`, `offset` or `skip`
 * - `columns=name,owner`
 *
 * Each part is percent-encoded before the parts are joined, so any text can be a part.
 */
import { DATE_RANGES, dateRange, isDateRange } from "./date_ranges.ts";
import { isTooLarge, percentDecoded, wholeNumber } from "../format.ts";
import type { DateOptions } from "./search_query_values.ts";
import type { DateFilter, FieldSort, Filter, SearchBody } from "../types.ts";

/** What a URL shows: a search, which of its rows, and which columns. */
export interface SearchView {
  /** The search; the empty object matches everything. */
  readonly body: SearchBody;
  readonly limit?: number;
  readonly offset?: number;
  readonly skip?: number;
  readonly columns?: readonly string[];
}

/** Writes a view as query parameters, always in the same order, without empty lists. */
export function formatSearchUrl(view: SearchView): URLSearchParams {
  const params = new URLSearchParams();
  for (const filter of view.body.filters ?? []) params.append("filter", writeFilter(filter));
  for (const filter of view.body.dateFilters ?? []) params.append("date", writeDateFilter(filter));
  for (const { field, order } of view.body.fieldSort ?? []) {
    const short = order === undefined || order === "ASC";
    params.append("sort", short ? encode(field) : `${encode(field)}:${encode(order)}`);
  }
  if (view.limit !== undefined) params.set("limit", String(view.limit));
  if (view.offset !== undefined) params.set("offset", String(view.offset));
  if (view.skip !== undefined) params.set("skip", String(view.skip));
  if (view.columns && view.columns.length > 0) {
    params.set("columns", view.columns.map(encode).join(","));
  }
  return params;
}

function writeFilter({ field, operator = "EQUALS", value = [], not }: Filter): string {
  const parts = [encode(field), encode(operator)];
  if (value.length > 0) parts.push(value.map(encode).join(","));
  return (not ? "!" : "") + parts.join(":");
}

function writeDateFilter({ field, start = "", end = "", range, not }: DateFilter): string {
  const times = range ?? `${encodeBound(start)}..${encodeBound(end)}`;
  return `${not ? "!" : ""}${encode(field)}:${times}`;
}

function encode(part: string): string {
  // Other characters are encoded with the whole URL. Half of a surrogate pair can't be encoded.
  return part.toWellFormed().replace(/[%!:,]/g, (sign) => PERCENT_CODES[sign]);
}

const PERCENT_CODES: Readonly<Record<string, string>> = {
  "%": "%25",
  "!": "%21",
  ":": "%3A",
  ",": "%2C",
};

function encodeBound(bound: string): string {
  // Only the first colon, after the field, separates.
  const encoded = encode(bound).replaceAll("%3A", ":");
  // Only these dots could be read as the two that separate the bounds.
  return /^\.|\.\.|\.$/.test(encoded) ? encoded.replaceAll(".", "%2E") : encoded;
}

/** Combines searches: rows must match all. Sort keys of earlier searches are more significant. */
export function joinSearches(...bodies: readonly SearchBody[]): SearchBody {
  const fieldSort = bodies.flatMap(({ fieldSort = [] }) => fieldSort);
  const filters = bodies.flatMap(({ filters = [] }) => filters);
  const dateFilters = bodies.flatMap(({ dateFilters = [] }) => dateFilters);
  return {
    ...(fieldSort.length > 0 ? { fieldSort } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(dateFilters.length > 0 ? { dateFilters } : {}),
  };
}

export interface ParameterIssue {
  readonly parameter: string;
  /** What is wrong and what is allowed. */
  readonly detail: string;
}

export interface ParsedSearchUrl {
  readonly view: SearchView;
  /** What is wrong with the other parameters. */
  readonly issues: readonly ParameterIssue[];
}

/** Reads a view. Operators and orders that the URL leaves out are filled in. */
export function parseSearchUrl(
  params: URLSearchParams,
  options: DateOptions = {},
): ParsedSearchUrl {
  const issues: ParameterIssue[] = [];
  const readAll = <T>(parameter: string, read: (text: string) => T | string): T[] => {
    const results: T[] = [];
    for (const text of params.getAll(parameter)) {
      const result = read(text);
      if (typeof result === "string") issues.push({ parameter, detail: result });
      else results.push(result);
    }
    return results;
  };
  const readNumber = (parameter: string, min: number): Readonly<Record<string, number>> => {
    const [number = {}, ...more] = readAll(parameter, (text) => {
      const value = wholeNumber(text);
      if (isTooLarge(text)) return `must be at most ${Number.MAX_SAFE_INTEGER}`;
      return value !== null && value >= min
        ? { [parameter]: value }
        : `must be a whole number of at least ${min}`;
    });
    if (more.length > 0) issues.push({ parameter, detail: "must be given once" });
    return number;
  };

  const filters = readAll("filter", readFilter);
  const dateFilters = readAll("date", (text) => readDateFilter(text, options));
  const fieldSort = readAll("sort", readSort);
  const limit = readNumber("limit", 1);
  const offset = readNumber("offset", 0);
  const skip = readNumber("skip", 0);
  const columns = readAll("columns", readColumns).flat();
  return {
    view: {
      body: joinSearches({ fieldSort, filters, dateFilters }),
      ...limit,
      ...offset,
      ...skip,
      ...(columns.length > 0 ? { columns: [...new Set(columns)] } : {}),
    },
    issues,
  };
}

/** Reads a condition written `[!]field:OPERATOR:v1,v2`, or returns a sentence that says what is wrong. */
export function readFilter(text: string): Filter | string {
  const { not, rest } = readNot(text);
  const [fieldPart, operatorPart = "", ...valueParts] = rest.split(":");
  const field = percentDecoded(fieldPart);
  const operator = percentDecoded(operatorPart);
  // Colons in values need not be encoded: all that follows the second colon belongs to the values.
  const value = valueParts.length === 0 ? [] : valueParts.join(":").split(",").map(percentDecoded);
  if (field === undefined || operator === undefined || !areTexts(value)) return BAD_ENCODING;
  if (field === "") return "filter must be written field:OPERATOR:value, and names no field";
  return { field, operator: operator === "" ? "EQUALS" : operator, value, ...not };
}

/** Reads `[!]field:start..end` or `[!]field:RANGE`, or returns what is wrong as a sentence. */
export function readDateFilter(
  text: string,
  { now = Date.now(), zone = "UTC" }: DateOptions = {},
): DateFilter | string {
  const { not, rest } = readNot(text);
  const colon = rest.indexOf(":");
  const field = percentDecoded(colon < 0 ? rest : rest.slice(0, colon));
  const times = colon < 0 ? "" : rest.slice(colon + 1);
  const bounds = times.split("..");
  if (field === undefined) return BAD_ENCODING;
  if (field !== "" && isDateRange(times)) {
    return { field, ...dateRange(times, now, zone), range: times, ...not };
  }
  if (field === "" || bounds.length !== 2) {
    return `date must be written field:start..end, or field:RANGE with one of ${
      DATE_RANGES.join(", ")
    }`;
  }
  const [start, end] = bounds.map(percentDecoded);
  if (start === undefined || end === undefined) return BAD_ENCODING;
  return { field, ...(start === "" ? {} : { start }), ...(end === "" ? {} : { end }), ...not };
}

/** Reads a sort key written `field:ORDER`, or returns a sentence that says what is wrong. */
export function readSort(text: string): FieldSort | string {
  const [fieldPart, orderPart = "", ...more] = text.split(":");
  const field = percentDecoded(fieldPart);
  const order = percentDecoded(orderPart);
  if (field === undefined || order === undefined) return BAD_ENCODING;
  if (field === "" || more.length > 0) return "sort must be written field or field:ORDER";
  return { field, order: order === "" ? "ASC" : order };
}

function readColumns(text: string): string[] | string {
  const names = text.split(",").map(percentDecoded);
  return areTexts(names) ? names.filter((name) => name !== "") : BAD_ENCODING;
}

function readNot(text: string): { not: { not?: true }; rest: string } {
  return text.startsWith("!")
    ? { not: { not: true }, rest: text.slice(1) }
    : { not: {}, rest: text };
}

const BAD_ENCODING = "percent-encoding must be complete, such as %25 for a percent sign";

function areTexts(parts: readonly (string | undefined)[]): parts is string[] {
  return parts.every((part) => part !== undefined);
}

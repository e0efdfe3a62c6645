/** Reads the search in the URL. `search_url.ts` writes it. */
import { DATE_RANGES, dateRange, isDateRange } from "./date_ranges.ts";
import { joinSearches, type SearchView } from "./search_url.ts";
import { isTooLarge, percentDecoded, wholeNumber } from "../format.ts";
import type { DateOptions } from "./search_query_values.ts";
import type { DateFilter, FieldSort, Filter } from "../types.ts";

/** Something in a URL that could not be used. */
export interface ParameterIssue {
  readonly parameter: string;
  /** What is wrong and what is allowed. */
  readonly detail: string;
}

/** A view, and what could not be used of the URL. */
export interface ParsedSearchUrl {
  readonly view: SearchView;
  /** Everything else, in the order of the URL. */
  readonly issues: readonly ParameterIssue[];
}

/**
 * Reads a view from query parameters; others are ignored. What can't be used is in `issues`, and the
 * rest is still read. Operator and order are always filled in; `not` is there only when true.
 */
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
  const readNumber = (parameter: string, least: number): number | undefined => {
    const read = readAll(parameter, (text) => {
      const value = wholeNumber(text);
      if (isTooLarge(text)) return `must be at most ${Number.MAX_SAFE_INTEGER}`;
      return value !== null && value >= least
        ? { value }
        : `must be a whole number of at least ${least}`;
    });
    if (read.length > 1) issues.push({ parameter, detail: "must be given once" });
    return read[0]?.value;
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
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset }),
      ...(skip === undefined ? {} : { skip }),
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
  // A colon in a value need not be encoded: whatever follows the second one belongs to the values.
  const value = valueParts.length === 0 ? [] : valueParts.join(":").split(",").map(percentDecoded);
  if (field === undefined || operator === undefined || !areTexts(value)) return BAD_ENCODING;
  if (field === "") return "filter must be written field:OPERATOR:value, and names no field";
  return { field, operator: operator === "" ? "EQUALS" : operator, value, ...not };
}

/**
 * Reads a condition on a date written `[!]field:start..end` or, with the name of a range,
 * `updated:last-month`; or returns a sentence that says what is wrong.
 */
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

/**
 * The search in the URL: a view of file sets or runs as query parameters, both ways.
 *
 * - `filter=[!]field:OPERATOR:v1,v2`, repeatable; without values, `filter=[!]field:OPERATOR`
 * - `date=[!]field:start..end`, repeatable; either bound may be empty; or `date=[!]field:last-month`
 *   and the other names of ranges, which are read anew whenever the link is followed
 * - `sort=field:ORDER`, repeatable, most significant first
 * - `limit`, `offset` or `skip`
 * - `columns=name,owner`
 *
 * Each part is percent-encoded before the parts are joined, so any text can be a part.
 */
import type { DateFilter, Filter, SearchBody } from "../types.ts";

/** What a URL shows: a search, which part of it, and which columns. */
export interface SearchView {
  /** The search; the empty object matches everything. */
  readonly body: SearchBody;
  readonly limit?: number;
  readonly offset?: number;
  readonly skip?: number;
  /** Names of the columns, in their order. */
  readonly columns?: readonly string[];
}

/**
 * Writes a view as query parameters, always in the same order, so that `parseSearchUrl` reads the same
 * view back. Empty lists are left out.
 */
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
  // Only what separates parts, and a "!" that would read as a negation. The rest is encoded with the
  // whole URL, and not twice. Half a surrogate pair can't be encoded at all.
  return part.toWellFormed().replace(/[%!:,]/g, (sign) => PERCENT_CODES[sign]);
}

const PERCENT_CODES: Readonly<Record<string, string>> = {
  "%": "%25",
  "!": "%21",
  ":": "%3A",
  ",": "%2C",
};

function encodeBound(bound: string): string {
  // Colons after the field's own are part of a bound.
  const encoded = encode(bound).replaceAll("%3A", ":");
  // Only these dots could be taken for the two that separate the bounds.
  return /^\.|\.\.|\.$/.test(encoded) ? encoded.replaceAll(".", "%2E") : encoded;
}

/**
 * Joins searches: finds what all of them find. The sort keys of the first are the most significant,
 * and lists without anything in them are left out.
 */
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

/** Parses links to searches. Separate from writing them, so that pages load it only when needed. */
import { joinSearches, type ParameterIssue, parseSearchUrl } from "../../lib/search/search_url.ts";
import { correctedQuery, parseQuery } from "../../lib/search/search_query.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import type { QueryOptions } from "../../lib/search/search_query_values.ts";
import type { SearchBody } from "../../lib/types.ts";
import { type NewCondition, readNewCondition } from "./new_condition.ts";
import type { SearchedRows, ShownSearch } from "./page_view.ts";

export interface ParsedView {
  readonly view: ShownSearch;
  readonly query: string;
  readonly condition: NewCondition;
  readonly issues: readonly PlacedIssue[];
  readonly meant?: { readonly query: string; readonly body: SearchBody };
}

/** An issue. If it is in the query, `place` is the wrong text. */
export interface PlacedIssue extends ParameterIssue {
  readonly place?: readonly [start: number, end: number];
}

/** How to read dates such as `last-month`, and recipients by name. */
export interface ParseOptions extends QueryOptions {
  readonly zone: string;
  readonly now: number;
}

export function parsePageView(
  params: URLSearchParams,
  { table, columns, mayHaveMore, parameters }: SearchedRows,
  options: ParseOptions,
): ParsedView {
  const { view: { body: urlBody, ...view }, issues } = parseSearchUrl(params, options);
  const typed = params.get("q")?.trim() ?? "";
  const query = parseQuery(typed, table, options);
  const corrected = correctedQuery(typed, query.issues);
  const meant = corrected && parseQuery(corrected, table, options);
  const body = joinSearches(query.body, urlBody);
  const known = [...PARAMETERS, ...parameters];
  const unknown = [...new Set(params.keys())]
    .filter((name) => !known.includes(name) && !/^new-[a-z-]+$/.test(name));
  const wrongColumns = mayHaveMore
    ? []
    : view.columns?.filter((name) => !columns.includes(name)) ?? [];
  const open = params.get("open");
  const keepsQuery = typed !== "" && Object.keys(urlBody).length === 0;
  return {
    view: {
      ...view,
      body,
      ...(keepsQuery ? { q: typed } : {}),
      ...(open ? { open } : {}),
    },
    condition: readNewCondition(params),
    query: keepsQuery ? typed : formatSearchQuery(body, options.zone, table),
    issues: [
      ...issues,
      ...query.issues.map(({ start, end, detail }) => ({
        parameter: `Query, character ${start + 1}`,
        detail: start < end ? `“${typed.slice(start, end)}”: ${detail}` : detail,
        place: [start, end] as const,
      })),
      ...wrongColumns.map((name) => ({
        parameter: "columns",
        detail: `no column is called ${name}; use ${columns.join(", ")}`,
      })),
      // Ignoring a misspelt condition would find too much.
      ...unknown.map((parameter) => ({
        parameter,
        detail: `is not a known parameter; use ${known.join(", ")}`,
      })),
    ],
    ...(corrected && meant && meant.issues.length === 0
      ? { meant: { query: corrected, body: joinSearches(meant.body, urlBody) } }
      : {}),
  };
}

const PARAMETERS = ["q", "filter", "date", "sort", "limit", "columns"];

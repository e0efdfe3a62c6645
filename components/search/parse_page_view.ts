/** Parses links to searches. Separate from writing them, so that pages load it only when needed. */
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { wholeNumber } from "../../lib/format.ts";
import { splitParts } from "../../lib/search/query_parts.ts";
import {
  joinSearches,
  parseQuery,
  parseSort,
  type QueryOptions,
} from "../../lib/search/search_query.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import { type NewCondition, readNewCondition } from "./new_condition.ts";
import type { SearchedRows, ShownSearch } from "./page_view.ts";

export interface ParsedView {
  readonly view: ShownSearch;
  /** The query without its sort keys; if it is not valid, as it was typed. */
  readonly query: string;
  readonly condition: NewCondition;
  /** What is wrong and what is allowed. */
  readonly issues: readonly { readonly parameter: string; readonly detail: string }[];
  readonly isQueryWrong: boolean;
}

/** How to read dates such as `last-month`, and recipients by name. */
export interface ParseOptions extends QueryOptions {
  readonly zone: string;
  readonly now: number;
}

export function parsePageView(
  params: URLSearchParams,
  { table, columns, mayHaveMore, parameters, defaultLimit = DEFAULT_LIMIT }: SearchedRows,
  options: ParseOptions,
): ParsedView {
  const issues: ParsedView["issues"][number][] = [];
  const typed = params.get("q")?.trim() ?? "";
  const query = parseQuery(typed, table, options);
  for (const { start, end, detail } of query.issues) {
    issues.push({
      parameter: `Query, character ${start + 1}`,
      detail: start < end ? `“${typed.slice(start, end)}”: ${detail}` : detail,
    });
  }
  const sort = parseSort(params.get("sort")?.trim() ?? "", table);
  for (const { detail } of sort.issues) issues.push({ parameter: "sort", detail });
  // Sort keys in the query replace those of the link.
  const body = query.body.fieldSort ? query.body : joinSearches(query.body, sort.body);

  const readNumber = (name: string, least: number): Readonly<Record<string, number>> => {
    const text = params.get(name);
    if (text === null) return {};
    const value = wholeNumber(text);
    if (value !== null && value >= least) return { [name]: value };
    const detail = `must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}`;
    issues.push({ parameter: name, detail });
    return {};
  };
  const { limit = defaultLimit, ...place } = {
    ...readNumber("limit", 1),
    ...readNumber("offset", 0),
    ...readNumber("skip", 0),
  };
  const chosen = splitParts(params.get("columns") ?? "", /,/).map(({ text }) => text)
    .filter((name) => name !== "");
  for (const name of chosen) {
    if (mayHaveMore || columns.includes(name)) continue;
    const detail = `no column is called ${name}; use ${columns.join(", ")}`;
    issues.push({ parameter: "columns", detail });
  }
  const open = params.get("open");
  const known = ["q", "sort", "limit", "columns", ...parameters];
  for (const parameter of new Set(params.keys())) {
    if (/^new-[a-z-]+$/.test(parameter)) continue;
    // Ignoring a misspelt or a second condition would find too much.
    if (!known.includes(parameter)) {
      const advice = "Conditions belong to q, such as q=owner:Finance -permission:READ";
      const detail = `is not a known parameter; use ${known.join(", ")}. ${advice}`;
      issues.push({ parameter, detail });
    } else if (params.getAll(parameter).length > 1) {
      issues.push({ parameter, detail: "must be given once" });
    }
  }
  const { fieldSort: _sort, ...conditions } = body;
  return {
    view: {
      body,
      ...place,
      // Links leave out the usual page size.
      ...limit !== defaultLimit && { limit },
      ...chosen.length > 0 && { columns: [...new Set(chosen)] },
      ...open && { open },
    },
    condition: readNewCondition(params),
    query: query.issues.length > 0 ? typed : formatSearchQuery(conditions, table),
    issues,
    isQueryWrong: query.issues.length > 0,
  };
}

/** Parses links to file sets. Separate from writing them, so that pages load it only when needed. */
import { parseSearchQuery } from "../../lib/search/search_query.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import { type ParameterIssue, parseSearchUrl } from "../../lib/search/search_url_read.ts";
import type { SearchBody } from "../../lib/types.ts";
import type { FileSetsView } from "./file_sets_view.ts";

/** A view, and the issues of the link or form it came from. */
export interface ParsedView {
  readonly view: FileSetsView;
  /** The search as a query, as typed where it was typed. */
  readonly query: string;
  readonly issues: readonly ParameterIssue[];
}

/** How dates such as `last-month` are read. */
export interface DateContext {
  readonly zone: string;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

/** Parses the query parameters of a view. Parameters that are not valid are issues. */
export function parseFileSetsView(params: URLSearchParams, dates: DateContext): ParsedView {
  const { view: { body: urlBody, ...view }, issues } = parseSearchUrl(params);
  const typed = params.get("q")?.trim() ?? "";
  const query = parseSearchQuery(typed, dates);
  const body = merge(query.body, urlBody);
  const text = formatSearchQuery(body);
  const unknown = [...new Set(params.keys())].filter((name) => !PARAMETERS.test(name));
  const density = params.get("density");
  const open = params.get("open");
  // What the other parameters can say as well is left to them.
  const keepsQuery = typed !== "" && typed !== text && Object.keys(urlBody).length === 0;
  return {
    view: {
      ...view,
      body,
      ...(keepsQuery ? { q: typed } : {}),
      ...(density === "compact" || density === "comfortable" ? { density } : {}),
      ...(params.get("facts") === "shown" ? { facts: true } : {}),
      ...(open ? { open } : {}),
    },
    query: keepsQuery ? typed : text,
    issues: [
      ...issues,
      ...query.issues.map(({ start, end, detail }) => ({
        parameter: `Query, character ${start + 1}`,
        detail: start < end ? `“${typed.slice(start, end)}”: ${detail}` : detail,
      })),
      // Ignoring a misspelt condition would find more than was meant.
      ...unknown.map((parameter) => ({ parameter, detail: "is not a known parameter" })),
    ],
  };
}

function merge(a: SearchBody, b: SearchBody): SearchBody {
  const join = <T>(name: string, first: readonly T[] = [], second: readonly T[] = []) =>
    first.length + second.length > 0 ? { [name]: [...first, ...second] } : {};
  return {
    ...join("fieldSort", a.fieldSort, b.fieldSort),
    ...join("filters", a.filters, b.filters),
    ...join("dateFilters", a.dateFilters, b.dateFilters),
  };
}

/** The parameters of a view, the form's additions, and the export's own. */
const PARAMETERS =
  /^(q|view|filter|date|sort|limit|offset|columns|density|facts|open|format|new-[a-z-]+)$/;

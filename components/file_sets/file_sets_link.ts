/** Parses links to file sets. Separate from writing them, so that pages load it only when needed. */
import { joinSearches } from "../../lib/search/search_url.ts";
import { parseSearchQuery } from "../../lib/search/search_query.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import { type ParameterIssue, parseSearchUrl } from "../../lib/search/search_url_read.ts";
import type { FileSetsView } from "./file_sets_view.ts";
import { FIELDS } from "./search/search_text.ts";

/** A view, and the issues of the link or form it came from. */
export interface ParsedView {
  readonly view: FileSetsView;
  /** The search as a query, as typed where it was typed. */
  readonly query: string;
  readonly issues: readonly PlacedIssue[];
}

/** An issue. An issue of the query says where the wrong text begins and ends. */
export interface PlacedIssue extends ParameterIssue {
  readonly place?: readonly [start: number, end: number];
}

/** How dates such as `last-month` are read. */
export interface DateContext {
  readonly zone: string;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}

export function parseFileSetsView(params: URLSearchParams, dates: DateContext): ParsedView {
  const { view: { body: urlBody, ...view }, issues } = parseSearchUrl(params, dates);
  const typed = params.get("q")?.trim() ?? "";
  const query = parseSearchQuery(typed, dates);
  const body = joinSearches(query.body, urlBody);
  const text = formatSearchQuery(body, dates.zone);
  const unknown = [...new Set(params.keys())].filter((name) => !PARAMETERS.test(name));
  const density = params.get("density");
  const isDensity = density === "compact" || density === "comfortable";
  const wrongColumns = view.columns?.filter((name) =>
    !(FIELDS as readonly string[]).includes(name)
  );
  const [open, add, edit] = ["open", "add", "edit"].map((name) => params.get(name));
  const { body: conditionsOff, issues: offIssues } = readSwitchedOff(params.getAll("off"), dates);
  const keepsQuery = typed !== "" && Object.keys(urlBody).length === 0;
  return {
    view: {
      ...view,
      body,
      ...(keepsQuery ? { q: typed } : {}),
      ...(isDensity ? { density } : {}),
      ...(conditionsOff ? { off: conditionsOff } : {}),
      ...(open ? { open } : {}),
      ...(add === null ? {} : { add }),
      ...(edit ? { edit } : {}),
    },
    query: keepsQuery ? typed : text,
    issues: [
      ...issues,
      ...offIssues,
      ...query.issues.map(({ start, end, detail }) => ({
        parameter: `Query, character ${start + 1}`,
        detail: start < end ? `“${typed.slice(start, end)}”: ${detail}` : detail,
        place: [start, end] as const,
      })),
      ...wrongColumns?.map((name) => ({
        parameter: "columns",
        detail: `no column is called ${name}; use ${FIELDS.join(", ")}`,
      })) ?? [],
      ...density && !isDensity
        ? [{ parameter: "density", detail: "must be compact or comfortable" }]
        : [],
      // Ignoring a misspelt condition would find too much.
      ...unknown.map((parameter) => ({ parameter, detail: KNOWN })),
    ],
  };
}

/** Reads conditions that are switched off, each written as in a link with the name of its parameter. */
function readSwitchedOff(texts: readonly string[], dates: DateContext) {
  const params = texts.map((text): [string, string] => {
    const [name, ...rest] = text.split(":");
    return /^(filter|date)$/.test(name) ? [name, rest.join(":")] : ["filter", ""];
  });
  const { view: { body }, issues } = parseSearchUrl(new URLSearchParams(params), dates);
  return {
    body: Object.keys(body).length > 0 ? body : undefined,
    issues: issues.map(({ detail }) => ({ parameter: "off", detail })),
  };
}

const KNOWN = "is not a known parameter; use q, view, filter, date, sort, limit, offset or columns";

/** The parameters of a view, the form's additions, and the export's own. */
const PARAMETERS =
  /^(q|view|filter|date|sort|limit|offset|columns|density|off|open|add|edit|format|new-[a-z-]+)$/;

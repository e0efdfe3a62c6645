/** Parses links to file sets. Separate from writing them, so that pages load it only when needed. */
import { type ParameterIssue, parseSearchUrl } from "../../lib/search_url_read.ts";
import type { FileSetsView } from "./file_sets_view.ts";

/** A view, and the issues of the link or form it came from. */
export interface ParsedView {
  readonly view: FileSetsView;
  readonly issues: readonly ParameterIssue[];
}

/** Parses the query parameters of a view. Parameters that are not valid are issues. */
export function parseFileSetsView(params: URLSearchParams): ParsedView {
  const { view, issues } = parseSearchUrl(params);
  const unknown = [...new Set(params.keys())].filter((name) => !PARAMETERS.test(name));
  const density = params.get("density");
  const open = params.get("open");
  return {
    view: {
      ...view,
      ...(density === "compact" || density === "comfortable" ? { density } : {}),
      ...(params.get("facts") === "shown" ? { facts: true } : {}),
      ...(open ? { open } : {}),
    },
    issues: [
      ...issues,
      // Ignoring a misspelt condition would find more than was meant.
      ...unknown.map((parameter) => ({ parameter, detail: "is not a known parameter" })),
    ],
  };
}

/** The parameters of a view, the form's additions, and the export's own. */
const PARAMETERS =
  /^(filter|date|sort|limit|offset|columns|density|facts|open|format|new-[a-z-]+)$/;

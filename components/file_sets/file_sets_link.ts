/** Reads links to file sets. Apart from their writing, so that pages load it when one is followed. */
import { type ParameterIssue, parseSearchUrl } from "../../lib/search_url_read.ts";
import type { FileSetsView } from "./file_sets_view.ts";

/** Reads a view from query parameters; what can't be used is told, and the rest still counts. */
export function parseFileSetsView(
  params: URLSearchParams,
): { readonly view: FileSetsView; readonly faults: readonly ParameterIssue[] } {
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
    faults: [
      ...issues,
      // A misspelt condition that is passed over would show more than was asked for.
      ...unknown.map((parameter) => ({ parameter, detail: "is not a part of such a link" })),
    ],
  };
}

/** The parameters of a view, those that the form adds, and the export's own. */
const PARAMETERS =
  /^(filter|date|sort|limit|offset|columns|density|facts|open|format|new-[a-z-]+)$/;

/** Parses links to file sets. Separate from writing them, so that pages load it only when needed. */
import { type ParsedView, type ParseOptions, parsePageView } from "../search/parse_page_view.ts";
import { FILE_SETS, type FileSetsView } from "./file_sets_view.ts";

export interface ParsedFileSetsView extends ParsedView {
  readonly view: FileSetsView;
}

export function parseFileSetsView(
  params: URLSearchParams,
  options: ParseOptions,
): ParsedFileSetsView {
  const parsed = parsePageView(params, FILE_SETS, options);
  const density = params.get("density");
  if (density === "compact" || density === "comfortable") {
    return { ...parsed, view: { ...parsed.view, density } };
  }
  if (!density) return parsed;
  const issue = { parameter: "density", detail: "must be compact or comfortable" };
  return { ...parsed, issues: [...parsed.issues, issue] };
}

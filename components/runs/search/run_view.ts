import { runSearchIssues } from "../../../lib/runs/run_search.ts";
import { type ParsedView, type ParseOptions, parsePageView } from "../../search/parse_page_view.ts";
import { CHART_NAMES } from "../charts/measures.ts";
import { LOADS, readLoad, type RunView } from "../run_links.ts";
import { RUNS } from "./run_columns.ts";

export interface ParsedRunView extends ParsedView {
  readonly view: RunView;
}

export function parseRunView(params: URLSearchParams, options: ParseOptions): ParsedRunView {
  const parsed = parsePageView(params, RUNS, options);
  // What is typed may hold an address, so links have only what it stands for.
  const { q: _q, columns, ...view } = parsed.view;
  const known = columns?.filter((name) => RUNS.columns.includes(name)) ?? [];
  const load = readLoad(params);
  const chart = CHART_NAMES.find((name) => name === params.get("chart"));
  return {
    ...parsed,
    view: {
      ...view,
      ...(known.length > 0 ? { columns: known } : {}),
      load,
      ...(chart && { chart }),
    },
    issues: [
      ...parsed.issues,
      ...runSearchIssues(view.body),
      ...params.has("load") && params.get("load") !== String(load)
        ? [{ parameter: "load", detail: `must be one of ${LOADS.join(", ")}` }]
        : [],
      ...params.has("chart") && !chart
        ? [{ parameter: "chart", detail: `must be one of ${CHART_NAMES.join(", ")}` }]
        : [],
    ],
  };
}

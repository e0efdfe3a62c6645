import { RUN_QUERY, runSearchIssues } from "../../../lib/runs/run_search.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type ParsedView, type ParseOptions, parsePageView } from "../../search/parse_page_view.ts";
import type { SearchedRows } from "../../search/page_view.ts";
import { CHARTS, MOST_LOADED, readLoad, type RunView, SHOWN_OUTCOMES } from "../run_links.tsx";

const RUN_COLUMNS = [
  ...["startTime", "endTime", "status", "reportTitle", "duration", "recipientCount"] as const,
  ...["attachmentCount", "attachmentSize", "emailSize", "cardCount", "automated"] as const,
  ...["reportSubject", "resourceType", "resourceName", "ownerId", "reportId"] as const,
  ...["resourceId", "id"] as const,
] as const;

export type RunColumn = typeof RUN_COLUMNS[number];

export function isRunColumn(name: string): name is RunColumn {
  return (RUN_COLUMNS as readonly string[]).includes(name);
}

const DEFAULT_COLUMNS: readonly RunColumn[] = [
  ...["startTime", "status", "duration", "recipientCount", "attachmentSize", "emailSize"] as const,
  "automated",
];

/** How many runs a page shows. */
export const RUN_LIMIT = 25;

export const RUNS: SearchedRows = {
  table: RUN_QUERY,
  columns: RUN_COLUMNS,
  defaultColumns: DEFAULT_COLUMNS,
  fixedColumn: "startTime",
  defaultLimit: RUN_LIMIT,
  parameters: ["skip", "load", "chart", "show", "addresses", "format"],
};

export function shownRunColumns(
  chosen: readonly string[] | undefined,
  runs: readonly Pick<ReportRun, "reportTitle">[],
): readonly RunColumn[] {
  const titles = new Set(runs.map(({ reportTitle }) => reportTitle || ""));
  const isShown = (name: RunColumn) =>
    name === "startTime" ||
    (chosen
      ? chosen.includes(name)
      : DEFAULT_COLUMNS.includes(name) || (name === "reportTitle" && titles.size > 1));
  return RUN_COLUMNS.filter(isShown);
}

interface ParsedRunView extends ParsedView {
  readonly view: RunView;
}

export function parseRunView(params: URLSearchParams, options: ParseOptions): ParsedRunView {
  const parsed = parsePageView(params, RUNS, options);
  const { columns, ...view } = parsed.view;
  const known = columns?.filter((name) => RUNS.columns.includes(name)) ?? [];
  const load = readLoad(params);
  const chart = CHARTS.find((name) => name === params.get("chart"));
  const show = SHOWN_OUTCOMES.find((name) => name === params.get("show"));
  const choices = { load: [String(MOST_LOADED)], chart: CHARTS, show: SHOWN_OUTCOMES };
  return {
    ...parsed,
    view: {
      ...view,
      ...(known.length > 0 ? { columns: known } : {}),
      ...(load && { load }),
      ...(chart && { chart }),
      ...(show && { show }),
    },
    issues: [
      ...parsed.issues,
      ...runSearchIssues(view.body).map((detail) => ({ parameter: "Query", detail })),
      ...Object.entries(choices).flatMap(([parameter, known]) => {
        const chosen = params.get(parameter);
        return chosen === null || known.some((each) => each === chosen)
          ? []
          : [{ parameter, detail: `must be one of ${known.join(", ")}` }];
      }),
    ],
  };
}

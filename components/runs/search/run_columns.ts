import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { SearchedRows } from "../../search/page_view.ts";

/** Every column in order: texts, then numbers. The start time always comes first. */
export const RUN_COLUMNS = [
  "startTime",
  "endTime",
  "status",
  "automated",
  "reportTitle",
  "reportSubject",
  "resourceType",
  "resourceName",
  "duration",
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
  "recipientCount",
  "ownerId",
  "reportId",
  "resourceId",
  "id",
] as const;

export type RunColumn = typeof RUN_COLUMNS[number];

export function isRunColumn(name: string): name is RunColumn {
  return (RUN_COLUMNS as readonly string[]).includes(name);
}

const DEFAULT_COLUMNS: readonly RunColumn[] = [
  "startTime",
  "status",
  "automated",
  "duration",
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
  "recipientCount",
];

export const RUNS: SearchedRows = {
  table: RUN_QUERY,
  columns: RUN_COLUMNS,
  defaultColumns: DEFAULT_COLUMNS,
  fixedColumn: "startTime",
  parameters: ["skip", "load", "chart", "addresses", "format"],
};

/** The columns to show: those chosen, or the default ones, including the report if it differs. */
export function shownColumns(
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

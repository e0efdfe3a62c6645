import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Pager } from "../../ui/pager.tsx";
import { ExportLinks } from "../../export/export_menu.tsx";
import { runExportHref, type RunView, scheduleHref, viewHref, withSearch } from "../run_links.ts";
import { RunChips } from "./run_chips.tsx";
import type { RunColumn } from "./run_columns.ts";
import type { WordOptions } from "./run_search_text.ts";
import { RunTable } from "./run_table.tsx";

/** The runs of a view: its chips, a page of them, and the links to the other pages. */
export function RunResults({ scheduleId, view, runs, columns, dictionary, words }: {
  readonly scheduleId: number;
  readonly view: RunView;
  readonly runs: readonly ReportRun[];
  readonly columns: readonly RunColumn[];
  readonly dictionary: StatusDictionary;
  readonly words: WordOptions;
}) {
  const { skip, limit } = view;
  const shown = runs.slice(skip, skip + limit);
  const table = <RunTable {...{ view, columns, scheduleId, dictionary }} runs={shown} />;
  const { pick: _pick, ...unpicked } = view;
  return (
    <>
      <RunChips view={view} words={words} />
      {shown.length === 0
        ? (
          <Empty>
            {runs.length === 0
              ? (
                <>
                  No runs match the filter.{" "}
                  <a href={viewHref(withSearch(view, {}))}>Show all runs</a>
                </>
              )
              : (
                <>
                  There are no more runs.{" "}
                  <a href={viewHref({ ...view, skip: 0 })}>Go to the first page</a>
                </>
              )}
          </Empty>
        )
        : view.pick
        ? (
          <form method="get" action={`${scheduleHref(scheduleId)}/compare`}>
            <p>
              Select two runs. <button type="submit">Compare selected runs</button>{" "}
              <a href={viewHref(unpicked)}>Cancel</a>
            </p>
            {table}
          </form>
        )
        : (
          <>
            <p class="export pick">
              <ExportLinks href={(format) => runExportHref(scheduleId, view, format)} /> ·{" "}
              <a href={viewHref({ ...view, pick: true })}>Select runs to compare</a>
            </p>
            {table}
          </>
        )}
      <Pager
        position={{ start: skip, count: shown.length, limit, total: runs.length }}
        href={(skip) => viewHref({ ...view, skip })}
        label="Pages of runs"
      />
    </>
  );
}

/** How many runs match, such as `37 of 400 runs`. */
export function formatMatches(count: number, loaded: number): string {
  return count === loaded
    ? formatCountOf(loaded, "run", "runs")
    : `${formatCount(count)} of ${formatCountOf(loaded, "run", "runs")}`;
}

/** How many runs were found, such as `37 matching runs`. */
export function formatMatching(count: number): string {
  return formatCountOf(count, "matching run", "matching runs");
}

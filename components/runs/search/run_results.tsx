import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import { nothingHint } from "../../../lib/search/query_table.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Pager } from "../../ui/pager.tsx";
import { withBody } from "../../search/page_view.ts";
import { type RunView, viewHref } from "../run_links.ts";
import type { RunColumn } from "./run_view.ts";
import { runRows, RunTable } from "./run_table.tsx";

export function RunResults({ scheduleId, view, runs, columns, dictionary, verdict }: {
  readonly scheduleId: number;
  readonly view: RunView;
  readonly runs: readonly ReportRun[];
  readonly columns: readonly RunColumn[];
  readonly dictionary: StatusDictionary;
  readonly verdict: Pick<Verdict, "schedule" | "planned">;
}) {
  const { skip = 0, limit = DEFAULT_LIMIT } = view;
  const rows = runRows(runs, view, verdict);
  const shown = runs.slice(skip, skip + limit);
  return (
    <>
      {runs.length === 0 && (
        <Empty>
          No runs match. Remove a condition, or{" "}
          <a href={viewHref(withBody(view, {}))}>show all runs</a>.{" "}
          {nothingHint(view.body.filters ?? [], RUN_QUERY)}
        </Empty>
      )}
      {runs.length > 0 && shown.length === 0 && (
        <Empty>
          There are no more runs. <a href={viewHref({ ...view, skip: 0 })}>Go to the first page</a>
        </Empty>
      )}
      {shown.length > 0 && (
        <RunTable {...{ view, columns, scheduleId, dictionary, rows }} planned={verdict.planned} />
      )}
      <Pager
        position={{ start: skip, count: shown.length, limit, total: runs.length }}
        href={(skip) => viewHref({ ...view, skip })}
        label="Pages of runs"
      />
    </>
  );
}

export function formatMatches(count: number, loaded: number): string {
  return count === loaded
    ? formatCountOf(loaded, "run", "runs")
    : `${formatCount(count)} of ${formatCountOf(loaded, "run", "runs")}`;
}

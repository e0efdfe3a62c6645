/** The rows of the table of runs: runs, and the planned runs between them that did not happen. */
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import type { PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { RunView } from "../run_links.ts";

/** A planned run that did not happen; `at` is in milliseconds since 1970. */
export interface UnmetRun {
  readonly at: number;
  readonly outcome: PlannedOutcome & ("missed" | "overdue");
}

/** A run, or planned runs in a row that did not happen. */
export type RunRow =
  | { readonly run: ReportRun }
  | { readonly unmet: readonly [UnmetRun, ...UnmetRun[]] };

/** More of them in a row are a row together. */
const MOST_APART = 3;

/** The rows of a page; planned runs stand among all runs by their time, not in results of a search. */
export function runRows(
  runs: readonly ReportRun[],
  { body: { filters = [], dateFilters = [], fieldSort: [key] = [] }, ...page }: RunView,
  { schedule }: Pick<Verdict, "schedule">,
): readonly RunRow[] {
  const { skip = 0, limit = DEFAULT_LIMIT } = page;
  const shown = runs.slice(skip, skip + limit);
  const isByTime = key === undefined || key.field === "startTime";
  if (!schedule || filters.length + dateFilters.length > 0 || !isByTime) {
    return shown.map((run) => ({ run }));
  }
  const sign = key && key.order !== "DESC" ? 1 : -1;
  const unmet = [
    ...schedule.overdue.map(({ at }): UnmetRun => ({ at, outcome: "overdue" })),
    ...schedule.missed.map(({ at }): UnmetRun => ({ at, outcome: "missed" })),
  ].sort((a, b) => sign * (a.at - b.at));
  let next = 0;
  const passed = (time: number) => {
    const from = next;
    while (next < unmet.length && sign * unmet[next].at < sign * time) next++;
    return unmet.slice(from, next);
  };
  if (skip > 0) passed(timeOf(runs[skip - 1]?.startTime) ?? -sign * Infinity);
  return [
    ...shown.flatMap((run) => {
      const time = timeOf(run.startTime);
      return [...rowsOf(time === undefined ? [] : passed(time)), { run }];
    }),
    ...rowsOf(skip + limit >= runs.length ? unmet.slice(next) : []),
  ];
}

function rowsOf(unmet: readonly UnmetRun[]): RunRow[] {
  const [first, ...others] = unmet;
  if (!first) return [];
  if (others.length >= MOST_APART) return [{ unmet: [first, ...others] }];
  return unmet.map((each) => ({ unmet: [each] }));
}

/** Links to views of a schedule's runs. */
import { formatRunFilter, type RunFilter } from "../../lib/runs/filter.ts";

/** What a page of runs shows. */
export interface RunView {
  readonly filter: RunFilter;
  readonly limit: number;
  readonly skip: number;
}

/** The page that shows a view of a schedule's runs. */
export function runsHref(scheduleId: number, { filter, limit, skip }: RunView): string {
  const params = formatRunFilter(filter);
  if (limit !== 100) params.set("limit", String(limit));
  if (skip > 0) params.set("skip", String(skip));
  return `/schedules/${scheduleId}${params.size > 0 ? `?${params}` : ""}`;
}

/** The page of one run. */
export function runHref(scheduleId: number, runId: number): string {
  return `/schedules/${scheduleId}/runs/${runId}`;
}

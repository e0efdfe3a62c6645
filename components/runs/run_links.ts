/** Links to the pages of a schedule and its runs. */
import { DEFAULT_LIMIT } from "../../lib/backend.ts";
import { formatRunFilter, type RunFilter } from "../../lib/runs/filter.ts";

/** How many runs can be loaded; the first is the default. */
export const LOADS = [1000, 2000, 5000, 10_000] as const;

/** Id of the form that filters runs. */
export const FILTER_FORM = "run-filter";

/** What a page of runs shows. */
export interface RunView {
  readonly filter: RunFilter;
  readonly limit: number;
  /** Number of matching runs to skip. */
  readonly skip: number;
  /** Maximum number of runs to load. */
  readonly load: number;
}

/** The page of a schedule. */
export function scheduleHref(scheduleId: number | string): string {
  return `/schedules/${encodeURIComponent(scheduleId)}`;
}

/** The page that shows a view of a schedule's runs. */
export function runsHref(
  scheduleId: number | string,
  { filter, limit, skip, load }: RunView,
): string {
  const params = formatRunFilter(filter);
  if (limit !== DEFAULT_LIMIT) params.set("limit", String(limit));
  if (skip > 0) params.set("skip", String(skip));
  if (load !== LOADS[0]) params.set("load", String(load));
  return scheduleHref(scheduleId) + (params.size > 0 ? `?${params}` : "");
}

/** The page of a schedule with the runs that match a filter. */
export function filteredRunsHref(scheduleId: number, filter: RunFilter): string {
  return `${scheduleHref(scheduleId)}?${formatRunFilter(filter)}#runs`;
}

/** The page of one run. */
export function runHref(scheduleId: number, runId: number): string {
  return `${scheduleHref(scheduleId)}/runs/${runId}`;
}

/** The page that compares two runs. */
export function compareHref(scheduleId: number, before: number, after: number): string {
  return `${scheduleHref(scheduleId)}/compare?before=${before}&after=${after}`;
}

/** How many runs a link asks to load; the default unless it is one of {@linkcode LOADS}. */
export function readLoad(params: URLSearchParams): number {
  const requested = Number(params.get("load"));
  return LOADS.find((load) => load === requested) ?? LOADS[0];
}

/** How many runs to load next, or undefined at the maximum. */
export function nextLoad(load: number): number | undefined {
  return LOADS.find((next) => next > load);
}

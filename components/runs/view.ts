/** Links to a schedule's runs and to what is said of them. */
import { DEFAULT_LIMIT } from "../../lib/request.ts";
import { formatRunFilter, type RunFilter } from "../../lib/runs/filter.ts";

/** How many runs are loaded at first, and at most. */
export const LOADS = [1000, 2000, 5000, 10_000] as const;

/** Id of the form that filters runs. */
export const FILTER_FORM = "run-filter";

/** What a page of runs shows. */
export interface RunView {
  readonly filter: RunFilter;
  readonly limit: number;
  /** Number of runs to skip of those that pass the filter. */
  readonly skip: number;
  /** The most runs to load. */
  readonly load: number;
}

/** The page that shows a view of a schedule's runs. */
export function runsHref(scheduleId: number, { filter, limit, skip, load }: RunView): string {
  const params = formatRunFilter(filter);
  if (limit !== DEFAULT_LIMIT) params.set("limit", String(limit));
  if (skip > 0) params.set("skip", String(skip));
  if (load !== LOADS[0]) params.set("load", String(load));
  return `/schedules/${scheduleId}${params.size > 0 ? `?${params}` : ""}`;
}

/** The page of a schedule with its runs of one day. */
export function dayHref(scheduleId: number, day: string): string {
  return `/schedules/${scheduleId}?from=${day}&through=${day}#runs`;
}

/** The page of one run. */
export function runHref(scheduleId: number, runId: number): string {
  return `/schedules/${scheduleId}/runs/${runId}`;
}

/** The page that compares two runs. */
export function compareHref(scheduleId: number, before: number, after: number): string {
  return `/schedules/${scheduleId}/compare?before=${before}&after=${after}`;
}

/** How many runs a link asks to load; what is none of {@linkcode LOADS} loads as at first. */
export function readLoad(params: URLSearchParams): number {
  const asked = Number(params.get("load"));
  return LOADS.find((load) => load === asked) ?? LOADS[0];
}

/** How many runs to load next, or undefined where that were the most. */
export function nextLoad(load: number): number | undefined {
  return LOADS.find((next) => next > load);
}

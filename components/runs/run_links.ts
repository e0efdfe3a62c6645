/** Links to the pages of a schedule and its runs. */
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { formatSearchUrl } from "../../lib/search/search_url.ts";
import type { FieldSort, SearchBody } from "../../lib/types.ts";
import { exportPath, nextOrder, withQuery } from "../ui/query.ts";
import { formatQuickFilter, type QuickFilter } from "./search/quick_filter.ts";

/** How many runs can be loaded; the first one is the default. */
export const LOADS = [1000, 2000, 5000, 10_000] as const;

/** The most runs that are loaded to find one. */
export const MOST_RUNS: number = LOADS[LOADS.length - 1];

export interface RunView {
  readonly body: SearchBody;
  readonly limit: number;
  readonly skip: number;
  readonly load: number;
  /** The columns; the default ones if missing. */
  readonly columns?: readonly string[];
  /** Whether two runs of the table can be selected for comparison. */
  readonly pick?: boolean;
}

export function scheduleHref(scheduleId: number | string): string {
  return `/schedules/${encodeURIComponent(scheduleId)}`;
}

/** The most statuses in a link to the page of their meanings. */
const MAX_LINKED_STATUSES = 30;

/** The page where a reader says what these statuses mean, which leads back to the schedule. */
export function statusesHref(scheduleId: number, statuses: readonly string[]): string {
  const params = new URLSearchParams({ next: scheduleHref(scheduleId) });
  for (const status of statuses.slice(0, MAX_LINKED_STATUSES)) params.append("status", status);
  return `/schedules/statuses?${params}`;
}

export function formatRunView({ body, limit, skip, load, columns, pick }: RunView) {
  const params = formatSearchUrl({
    body,
    ...(limit === DEFAULT_LIMIT ? {} : { limit }),
    ...(skip > 0 ? { skip } : {}),
    ...(columns ? { columns } : {}),
  });
  if (load !== LOADS[0]) params.set("load", String(load));
  if (pick) params.set("pick", "on");
  return params;
}

/** The page that shows a view of a schedule's runs. */
export function runsHref(scheduleId: number | string, view: RunView): string {
  return withQuery(scheduleHref(scheduleId), formatRunView(view));
}

/** The same within the schedule's page, without the path. */
export function viewHref(view: RunView): string {
  return `${withQuery("", formatRunView(view)) || "?"}#runs`;
}

/** The view with another search, starting at its first page. */
export function withSearch(view: RunView, body: SearchBody): RunView {
  return { ...view, body, skip: 0 };
}

/** The view sorted by a field: ascending, then descending, then in the original order. */
export function sortedBy(view: RunView, field: string): RunView {
  const [present] = view.body.fieldSort ?? [];
  const order = nextOrder(present, field);
  const fieldSort: FieldSort[] = order ? [{ field, order }] : [];
  return withSearch(view, { ...view.body, fieldSort });
}

/** The export of all runs that match a view. */
export function runExportHref(scheduleId: number, view: RunView, format: string): string {
  return exportPath(scheduleHref(scheduleId), view, format);
}

/** The page of a schedule with the runs that match a filter. */
export function filteredRunsHref(scheduleId: number, filter: QuickFilter): string {
  return `${scheduleHref(scheduleId)}?${formatQuickFilter(filter)}#runs`;
}

export function runHref(scheduleId: number, runId: number): string {
  return `${scheduleHref(scheduleId)}/runs/${runId}`;
}

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

import { formatWhen } from "../../lib/moments.ts";
import { formatPageView, type ShownSearch } from "../search/page_view.ts";
import { withQuery } from "../ui/query.ts";
import { RUN_QUERY } from "../../lib/runs/run_search.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { When } from "../ui/moment.tsx";

/** How many runs a page loads if a link asks for more than the usual number. */
export const MOST_LOADED = 10_000;

/** What the chart of planned runs shows; the first one unless a link says otherwise. */
export const CHARTS = ["result", "lateness", "duration", "size", "recipients"] as const;
export type ChartName = typeof CHARTS[number];

/**
 * The outcomes that a list of runs may be narrowed to, the worst first. Which runs were late is known
 * of the latest ones alone.
 */
export const SHOWN_OUTCOMES = ["failed", "overdue", "missed"] as const;
export type ShownOutcome = typeof SHOWN_OUTCOMES[number];

export interface RunView extends ShownSearch {
  readonly load?: typeof MOST_LOADED;
  readonly chart?: ChartName;
  readonly show?: ShownOutcome;
}

export function ownerHref(name: string): string {
  return `/owners/${encodeURIComponent(name)}`;
}

export function incidentHref(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`;
}

export function scheduleHref(scheduleId: number | string): string {
  return `/schedules/${encodeURIComponent(scheduleId)}`;
}

export function planHref(scheduleId: number | string): string {
  return `${scheduleHref(scheduleId)}/plan`;
}

/** The page that says what Docket knows of the service, such as what its statuses mean. */
export const SERVICE_PATH = "/service";

export function runsHref(scheduleId: number | string, view: RunView): string {
  return withQuery(scheduleHref(scheduleId), formatPageView(view, RUN_QUERY));
}

export function viewHref(view: RunView): string {
  return `${withQuery("", formatPageView(view, RUN_QUERY)) || "?"}#runs`;
}

export function chartHref(view: RunView, chart: ChartName): string {
  return `${withQuery("", formatPageView({ ...view, chart }, RUN_QUERY))}#planned-runs`;
}

export function runHref(scheduleId: number, runId: number): string {
  return `${scheduleHref(scheduleId)}/runs/${runId}`;
}

export const PEOPLE_TRAIL = [["/people", "People"]] as const;

export function recipientsHref(scheduleId: number | string): string {
  return `${scheduleHref(scheduleId)}/recipients`;
}

export function readLoad(params: URLSearchParams): RunView["load"] {
  return params.get("load") === String(MOST_LOADED) ? MOST_LOADED : undefined;
}

/** When a run started, such as `today 05:30`, or else its id. */
export function runMoment(
  { id, startTime }: Pick<ReportRun, "id" | "startTime">,
  now: number,
  zone: string,
): string {
  const at = timeOf(startTime);
  return at === undefined ? `run ${id}` : formatWhen(at, now, zone);
}

/** When a run started, with a link to it if its id is known. */
export function RunMoment({ at, run, scheduleId }: {
  readonly at: number;
  readonly run: number | null;
  readonly scheduleId: number;
}) {
  const moment = <When at={at} />;
  return run === null ? moment : <a href={runHref(scheduleId, run)}>{moment}</a>;
}

import { findRecipient } from "../../../../components/runs/recipients/recipient_choices.ts";
import {
  isRunColumn,
  type ParsedRunView,
  parseRunView,
  RUNS,
} from "../../../../components/runs/search/run_view.ts";
import { INPUTS } from "../../../../components/search/new_condition.ts";
import { isFromForm, readForm } from "../../../../components/search/search_form.ts";
import { readLoad, runsHref, type RunView } from "../../../../components/runs/run_links.tsx";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { readScheduleId } from "../../../../server/http/request_query.ts";
import { shownVerdict } from "../../../../server/observer/shown_verdict.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import { loadPage } from "../../../_errors.ts";
import { writePreferences } from "../../../../server/schedules/preferences.ts";
import { judgingOf, loadSchedule } from "../../../../server/pages/schedule_runs.ts";
import type { HandlerContext } from "fresh/types";
import type { ConsoleState } from "../../_middleware.ts";
import { loadObserved, loadRunOwner } from "./_observed.ts";

type ScheduleContext = HandlerContext<{ scheduleId: string }, ConsoleState>;

/** Shows the view in a link or a form. A valid form is redirected to its link. */
export async function showRuns(ctx: ScheduleContext, params: URLSearchParams) {
  const { zone } = ctx.state.preferences;
  const scheduleId = readScheduleId(ctx.params.scheduleId);
  const fromForm = isFromForm(params) || ctx.req.method === "POST";
  const parse = (runs: readonly ReportRun[]): ParsedRunView => {
    const options = {
      zone,
      now: Date.now(),
      findRecipient: (typed: string) => findRecipient(typed, runs),
    };
    const parsed = parseRunView(params, options);
    return fromForm ? readForm(params, RUNS, options, parsed) : parsed;
  };
  if (fromForm && scheduleId !== null) {
    // Most searches can be parsed without runs.
    const asked = parse([]);
    if (isValid(asked)) return redirectToRuns(ctx, scheduleId, params, asked.view);
  }
  const result = await loadPage(ctx, () => loadRuns(ctx, params, parse));
  const { shown } = result.data;
  if (!shown) return result;
  if (!isValid(shown)) return { ...result, status: 400 };
  return fromForm ? redirectToRuns(ctx, shown.scheduleId, params, shown.view) : result;
}

function isValid({ issues, condition }: Pick<ParsedRunView, "issues" | "condition">): boolean {
  return issues.length === 0 && condition.issue === undefined;
}

async function loadRuns(
  ctx: ScheduleContext,
  params: URLSearchParams,
  parse: (runs: readonly ReportRun[]) => ParsedRunView,
) {
  const { runColumns } = ctx.state.preferences;
  const schedule = await loadSchedule(ctx, readLoad(params));
  const { runs } = schedule.loaded;
  const { issues, ...asked } = parse(runs);
  const preferred = runColumns.filter(isRunColumn);
  const view = { ...(preferred.length > 0 && { columns: preferred }), ...asked.view };
  const { plan, pauses, calendar, decisions } = schedule.settings;
  const watched = await loadObserved(ctx.state, schedule.scheduleId);
  const now = Date.now();
  // A run that the service may not have listed yet is never shown as overdue.
  const listingDelayMs = watched?.last?.verdict.details.waitsMs ?? 0;
  const options = { ...judgingOf(ctx), now, plan, pauses, calendar, decisions, listingDelayMs };
  const own = await judgeLoaded(schedule.loaded, options);
  const { verdict, basis } = watched?.last
    ? shownVerdict(own, watched.last, now)
    : { verdict: own, basis: null };
  return {
    ...schedule,
    verdict,
    basis,
    observed: watched?.observed ?? null,
    owner: await loadRunOwner(ctx.state.services.records, schedule, now),
    now,
    ...asked,
    view,
    issues,
    found: issues.length === 0 ? searchRuns(runs, view.body) : null,
  };
}

/** Redirects to the link of a form, and stores the chosen columns in the preferences. */
function redirectToRuns(
  ctx: ScheduleContext,
  scheduleId: number,
  params: URLSearchParams,
  view: RunView,
): Response {
  const response = ctx.redirect(`${runsHref(scheduleId, view)}#runs`, 303);
  // Only a form may change them: anybody may have written a link.
  if (params.has(INPUTS.column) && ctx.req.method === "POST") {
    const { preferences, origin } = ctx.state;
    writePreferences(
      response.headers,
      { ...preferences, runColumns: (view.columns ?? []).filter(isRunColumn) },
      origin.startsWith("https:"),
    );
  }
  return response;
}

export type ShownRuns = Awaited<ReturnType<typeof loadRuns>>;

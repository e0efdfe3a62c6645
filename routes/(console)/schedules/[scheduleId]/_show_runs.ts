import { findRecipient } from "../../../../components/runs/recipients/recipient_choices.ts";
import { isRunColumn, parseRunView, RUNS } from "../../../../components/runs/search/run_view.ts";
import { INPUTS } from "../../../../components/search/new_condition.ts";
import { isFromForm, withTableOptions } from "../../../../components/search/search_form.ts";
import { readLoad, runsHref, type RunView } from "../../../../components/runs/run_links.tsx";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import { searchLimitIssues } from "../../../../server/api/service_operations.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { loadPage } from "../../../_errors.ts";
import { writePreferences } from "../../../../server/schedules/preferences.ts";
import { loadScheduleOverview } from "../../../../server/pages/schedule.ts";
import type { HandlerContext } from "fresh/types";
import type { ConsoleState } from "../../_middleware.ts";

type ScheduleContext = HandlerContext<{ scheduleId: string }, ConsoleState>;

/** Shows the view in a link or a form. A valid form leads to its link, and stores its columns. */
export async function showRuns(ctx: ScheduleContext) {
  const isPost = ctx.req.method === "POST";
  const result = await loadPage(ctx, async () => {
    const params = isPost ? await readFormBody(ctx.req) : ctx.url.searchParams;
    return await loadShownRuns(ctx, params, isPost || isFromForm(params));
  });
  const { shown } = result.data;
  if (!shown) return result;
  if (!shown.found) return { ...result, status: 400 };
  if (!shown.isForm) return result;
  const { scheduleId, view, hasColumns } = shown;
  const response = ctx.redirect(`${runsHref(scheduleId, view)}#runs`, 303);
  // Only a form may change the preferences: anybody may have written a link.
  if (hasColumns && isPost) {
    const { preferences, origin } = ctx.state;
    const runColumns = (view.columns ?? []).filter(isRunColumn);
    writePreferences(
      response.headers,
      { ...preferences, runColumns },
      origin.startsWith("https:"),
    );
  }
  return response;
}

async function loadShownRuns(ctx: ScheduleContext, params: URLSearchParams, isForm: boolean) {
  const shown = await loadScheduleOverview(ctx, readLoad(params));
  const { runs } = shown.loaded;
  const { zone, runColumns } = ctx.state.preferences;
  const options = {
    zone,
    now: Date.now(),
    findRecipient: (typed: string) => findRecipient(typed, runs),
  };
  const parsed = parseRunView(params, options);
  const excess = searchLimitIssues(parsed.view.body);
  const issues: typeof parsed.issues = [...parsed.issues, ...excess];
  // Without chips: each would repeat the long link.
  const read = excess.length > 0 ? { ...parsed.view, body: {} } : parsed.view;
  const preferred = runColumns.filter(isRunColumn);
  const view: RunView = isForm
    ? withTableOptions(read, params, RUNS)
    : { ...(preferred.length > 0 && { columns: preferred }), ...read };
  const found = issues.length === 0 ? searchRuns(runs, view.body) : null;
  const hasColumns = params.has(INPUTS.column);
  return { ...shown, ...parsed, issues, view, found, isForm, hasColumns };
}

export type ShownRuns = Awaited<ReturnType<typeof loadShownRuns>>;

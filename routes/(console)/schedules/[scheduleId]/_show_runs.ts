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
import { readFormBody } from "../../../../server/http/request_body.ts";
import { readScheduleId } from "../../../../server/http/request_query.ts";
import { loadPage } from "../../../_errors.ts";
import { writePreferences } from "../../../../server/schedules/preferences.ts";
import { loadScheduleOverview } from "../../../../server/pages/schedule.ts";
import type { HandlerContext } from "fresh/types";
import type { ConsoleState } from "../../_middleware.ts";

type ScheduleContext = HandlerContext<{ scheduleId: string }, ConsoleState>;

/** Shows the view in a link or a form. A valid form is redirected to its link. */
export async function showRuns(ctx: ScheduleContext) {
  let params = ctx.url.searchParams;
  try {
    if (ctx.req.method === "POST") params = await readFormBody(ctx.req);
  } catch (thrown) {
    return await loadPage(ctx, () => Promise.reject(thrown));
  }
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
  const shown = await loadScheduleOverview(ctx, readLoad(params));
  const { runs } = shown.loaded;
  const { issues, ...asked } = parse(runs);
  const preferred = ctx.state.preferences.runColumns.filter(isRunColumn);
  const view = { ...(preferred.length > 0 && { columns: preferred }), ...asked.view };
  const found = issues.length === 0 ? searchRuns(runs, view.body) : null;
  return { ...shown, ...asked, view, issues, found };
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

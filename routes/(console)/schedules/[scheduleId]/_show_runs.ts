/** Loads a schedule's runs for its page, by a link or the form. */
import type { TypedFilter } from "../../../../components/runs/search/filter_form.tsx";
import { findRecipient } from "../../../../components/runs/search/find_recipient.ts";
import { isRunColumn, rememberedColumns } from "../../../../components/runs/search/run_columns.ts";
import {
  isRunForm,
  type ParsedRunForm,
  parseRunView,
  readRunForm,
} from "../../../../components/runs/search/run_form.ts";
import type { ObservedSchedule } from "../../../../components/runs/verdict/observation.tsx";
import { readLoad, runsHref, type RunView } from "../../../../components/runs/run_links.ts";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import type { Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { ParameterIssue } from "../../../../lib/search/search_url_read.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { readScheduleId } from "../../../../server/http/schedule_id.ts";
import { type ShownVerdict, shownVerdict } from "../../../../server/observer/shown_verdict.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import { readRecentSchedules, writeVisit } from "../../../../server/schedules/recent_schedules.ts";
import { loadPage } from "../../../_errors.ts";
import { writePreferences } from "../../../../server/schedules/preferences.ts";
import {
  judgingOf,
  loadSchedule,
  recipientsOf,
  type ScheduleContext,
  type ScheduleRuns,
} from "../_runs.ts";
import { loadObserved } from "./_observed.ts";

/** Shows the view that a link or the form asks for; a valid form is redirected to its link. */
export async function showRuns(ctx: ScheduleContext, params: URLSearchParams) {
  const { preferences: { statuses: dictionary, zone }, origin } = ctx.state;
  const scheduleId = readScheduleId(ctx.params.scheduleId);
  const fromForm = isRunForm(params);
  if (fromForm && scheduleId !== null) {
    const asked = readRunForm(params, {
      zone,
      // Most filters can be parsed without runs.
      findRecipient: (typed) => /^\d+$/.test(typed) ? findRecipient(typed, []) : "",
    });
    if (asked.issues.length + asked.fieldIssues.length === 0) {
      return redirectToRuns(ctx, scheduleId, asked);
    }
  }
  const result = await loadPage(ctx, async () => {
    const schedule = await loadSchedule(ctx, readLoad(params));
    const { runs } = schedule.loaded;
    const asked = fromForm
      ? readRunForm(params, { zone, findRecipient: (typed) => findRecipient(typed, runs) })
      : { ...parseRunView(params), fieldIssues: [], chosenColumns: null };
    const { issues, fieldIssues } = asked;
    const preferred = ctx.state.preferences.runColumns.filter(isRunColumn);
    const view = { ...(preferred.length > 0 && { columns: preferred }), ...asked.view };
    const { plan, pauses } = schedule.settings;
    const watched = await loadObserved(ctx.state, schedule.scheduleId);
    const now = Date.now();
    const options = { ...judgingOf(ctx), now, plan, pauses };
    const own = await judgeLoaded(schedule.loaded, options);
    const { verdict, basis } = watched?.last
      ? shownVerdict(own, watched.last, {
        now,
        statuses: dictionary,
        allReadTheSame: ctx.state.services.store !== null,
      })
      : { verdict: own, basis: null };
    const isValid = issues.length + fieldIssues.length === 0;
    return {
      ...schedule,
      verdict,
      basis,
      observed: watched?.observed ?? null,
      elsewhere: recipientsOf(schedule.loaded, dictionary).others
        .reduce((sum, { recipients }) => sum + recipients, 0),
      now,
      asked,
      view,
      found: isValid ? searchRuns(runs, view.body) : null,
      linkIssues: issues,
      ...(fromForm ? { typed: { params, issues: fieldIssues } } : {}),
    };
  });
  const { shown } = result.data;
  if (!shown) return result;
  if (fromForm && shown.found) return redirectToRuns(ctx, shown.scheduleId, shown.asked);
  const headers = new Headers();
  writeVisit(headers, {
    scheduleId: shown.scheduleId,
    recent: readRecentSchedules(ctx.req.headers),
    secure: origin.startsWith("https:"),
  });
  return { ...result, ...(shown.found ? {} : { status: 400 }), headers };
}

/** Redirects to what the form asks for, and lets the browser remember the chosen columns. */
function redirectToRuns(
  ctx: ScheduleContext,
  scheduleId: number,
  { view, chosenColumns }: ParsedRunForm,
): Response {
  const response = ctx.redirect(runsHref(scheduleId, view), 303);
  // A link can't change them, since anybody may have written it.
  if (chosenColumns && ctx.req.method === "POST") {
    const runColumns = rememberedColumns(chosenColumns);
    const { preferences, origin } = ctx.state;
    writePreferences(
      response.headers,
      { ...preferences, runColumns },
      origin.startsWith("https:"),
    );
  }
  return response;
}

/** A schedule and its runs as the page shows them. */
export interface ShownRuns extends ScheduleRuns {
  readonly verdict: Verdict;
  /** Whether that is the stored verdict; null if none is. */
  readonly basis: ShownVerdict["basis"] | null;
  /** What the observer knows of it; null if nobody watches it. */
  readonly observed: ObservedSchedule | null;
  /** How many recipients are at other domains than most, without being new. */
  readonly elsewhere: number;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  readonly view: RunView;
  /** The runs that match; null if the search is not valid. */
  readonly found: readonly ReportRun[] | null;
  readonly linkIssues: readonly ParameterIssue[];
  /** What was typed into the form, if it is not valid. */
  readonly typed?: TypedFilter;
}

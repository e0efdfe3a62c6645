import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DurationChart } from "../../../../components/runs/charts/duration_chart.tsx";
import { type CodeTarget, CodeTexts } from "../../../../components/export/code_texts.tsx";
import { formatIssue } from "../../../../components/page/format_issue.ts";
import { FilterForm, type TypedFilter } from "../../../../components/runs/search/filter_form.tsx";
import { findRecipient } from "../../../../components/runs/search/find_recipient.ts";
import { runCode } from "../../../../components/runs/search/run_code.ts";
import {
  isRunColumn,
  rememberedColumns,
  shownColumns,
} from "../../../../components/runs/search/run_columns.ts";
import {
  isRunForm,
  type ParsedRunForm,
  parseRunView,
  readRunForm,
} from "../../../../components/runs/search/run_form.ts";
import {
  formatMatches,
  formatMatching,
  RunResults,
} from "../../../../components/runs/search/run_results.tsx";
import { ErrorNotice } from "../../../../components/ui/error_notice.tsx";
import {
  Observation,
  type ObservedSchedule,
} from "../../../../components/runs/verdict/observation.tsx";
import { RecipientChart } from "../../../../components/runs/charts/recipient_chart.tsx";
import { recipientChoices } from "../../../../components/runs/recipients/recipient_choices.ts";
import {
  formatRunView,
  nextLoad,
  readLoad,
  runsHref,
  type RunView,
  scheduleHref,
  viewHref,
} from "../../../../components/runs/run_links.ts";
import { LoadedNote, ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { RunStrip } from "../../../../components/runs/charts/strip.tsx";
import { Summary } from "../../../../components/runs/verdict/summary.tsx";
import { WeekTable } from "../../../../components/runs/charts/week_table.tsx";
import { VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { SavedViews } from "../../../../islands/SavedViews.tsx";
import { RunSearch } from "../../../../islands/RunSearch.tsx";
import { formatCount } from "../../../../lib/format.ts";
import type { Backend } from "../../../../lib/backend.ts";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import type { Verdict } from "../../../../lib/runs/judge/judge_schedule.ts";
import type { StatusDictionary } from "../../../../lib/runs/status.ts";
import { newestFirst } from "../../../../lib/runs/times.ts";
import type { ParameterIssue } from "../../../../lib/search/search_url_read.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { readScheduleId } from "../../../../server/http/schedule_id.ts";
import type { RequestLog } from "../../../../server/log/log.ts";
import { shownVerdict, type VerdictBasis } from "../../../../server/observer/shown_verdict.ts";
import type { Services } from "../../../../server/program/services.ts";
import type { Preferences } from "../../../../server/schedules/preferences.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import { readRecentSchedules, writeVisit } from "../../../../server/schedules/recent_schedules.ts";
import { loadPage } from "../../../_errors.ts";
import { savePreferences } from "../../_watches.ts";
import {
  judgingOf,
  loadSchedule,
  loadScheduleSettings,
  recipientsOf,
  type ScheduleRuns,
} from "../_runs.ts";
import { loadObserved } from "./_observed.ts";
import { handler, page } from "./$index.ts";

/** How many runs the strip shows. */
const STRIP_RUNS = 60;

/** The most statuses in a link to the page of statuses. */
const MAX_LINKED_STATUSES = 30;

export const handlers = handler({
  GET: (ctx) => show(ctx, ctx.url.searchParams),

  /** The form is sent by POST, so that what somebody types is not put into a URL unchecked. */
  async POST(ctx) {
    let form: URLSearchParams;
    try {
      form = await readFormBody(ctx.req);
    } catch (thrown) {
      return await loadPage(ctx, () => Promise.reject(thrown));
    }
    return await show(ctx, form);
  },
});

/** The data of a request for the page. */
interface PageContext {
  readonly params: { readonly scheduleId: string };
  readonly state: {
    readonly backend: Backend;
    readonly services: Services;
    readonly log: RequestLog;
    readonly requestId: string;
    readonly preferences: Preferences;
    readonly origin: string;
    readonly isWatchShared: boolean;
  };
  readonly req: Request;
  redirect(url: string, status: number): Response;
}

/** Shows the view that a link or the form asks for; a valid form is redirected to its link. */
async function show(ctx: PageContext, params: URLSearchParams) {
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
    const [{ plan, pauses }, watched] = await Promise.all([
      loadScheduleSettings(ctx.state, schedule.scheduleId),
      loadObserved(ctx.state.services, schedule.scheduleId),
    ]);
    const now = Date.now();
    const options = { ...judgingOf(ctx.state), now, plan, pauses };
    const own = await judgeLoaded(schedule.loaded, options);
    const { verdict, basis } = watched?.last
      ? shownVerdict(own, watched.last, { now, statuses: dictionary })
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
  ctx: PageContext,
  scheduleId: number,
  { view, chosenColumns }: ParsedRunForm,
): Response {
  const response = ctx.redirect(runsHref(scheduleId, view), 303);
  // A link can't change them, since anybody may have written it.
  if (chosenColumns && ctx.req.method === "POST") {
    const runColumns = rememberedColumns(chosenColumns);
    savePreferences(ctx.state, response.headers, { ...ctx.state.preferences, runColumns });
  }
  return response;
}

export default page(({ data, params, state }) => {
  const { shown } = data;
  const { statuses, zone } = state.preferences;
  return (
    <>
      <ScheduleHeader
        current="runs"
        data={data}
        params={params}
        state={state}
        actions={<a href="/schedules">Enter another schedule id</a>}
      />
      {shown && (
        <>
          <VerdictLine verdict={shown.verdict} scheduleId={shown.scheduleId} now={shown.now} />
          <LoadedNote loaded={shown.loaded} />
          {shown.observed && (
            <Observation
              observed={shown.observed}
              basis={shown.basis}
              scheduleId={shown.scheduleId}
              now={shown.now}
            />
          )}
        </>
      )}
      {shown?.loaded.runs.length === 0 && (
        <div class="empty">
          <p>This schedule has never run.</p>
        </div>
      )}
      {shown && shown.loaded.runs.length > 0 && (
        <>
          <Overview shown={shown} dictionary={statuses} />
          <Runs
            shown={shown}
            dictionary={statuses}
            zone={zone}
            target={{
              origin: state.origin,
              tokenHeader: state.services.settings.serviceTokenHeader,
            }}
            serviceZone={state.services.settings.serviceZone}
          />
        </>
      )}
    </>
  );
});

interface ShownRuns extends ScheduleRuns {
  readonly verdict: Verdict;
  /** Whether that is the stored verdict; null if none is. */
  readonly basis: VerdictBasis | null;
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

/** The facts, the latest matching runs, and their charts. */
function Overview({ shown, dictionary }: {
  readonly shown: ShownRuns;
  readonly dictionary: StatusDictionary;
}) {
  const { scheduleId, loaded, found, verdict, observed, elsewhere, now } = shown;
  // Charts show the newest runs first, however the table is sorted.
  const runs = found ? newestFirst(found) : loaded.runs;
  const common = { runs, scheduleId, dictionary };
  const isFiltered = runs.length < loaded.runs.length;
  // A part of the runs does not show which slots were missed.
  const schedule = isFiltered ? null : verdict.schedule;
  return (
    <>
      <Summary verdict={verdict} scheduleId={scheduleId} now={now} elsewhere={elsewhere} />
      <div id="run-charts">
        {isFiltered && (
          <p class="help">
            The charts show {formatMatching(runs.length)}. <a href="#runs">Change the filter</a>
          </p>
        )}
        {runs.length > 0 && <RunStrip {...common} runs={runs.slice(0, STRIP_RUNS)} />}
        {runs.length > 0 && (
          <div class="charts">
            <Calendar {...common} schedule={schedule} incidents={observed?.marked} />
            <RecipientChart {...common} />
            <DurationChart {...common} durations={verdict.durations} />
          </div>
        )}
        {runs.length > 0 && <WeekTable {...common} schedule={schedule} />}
        <p>
          <a href={statusesHref(scheduleId, loaded.runs)}>Status meanings</a>
        </p>
      </div>
    </>
  );
}

function Runs({ shown, dictionary, zone, target, serviceZone }: {
  readonly shown: ShownRuns;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
  readonly target: CodeTarget;
  readonly serviceZone: string;
}) {
  const { scheduleId, loaded, view, found, typed, linkIssues } = shown;
  const load = nextLoad(view.load);
  const columns = shownColumns(view.columns, loaded.runs);
  const recipients = recipientChoices(loaded.runs);
  const names = new Map(recipients.map(({ userId, name }) => [userId, name]));
  return (
    <>
      <h2 id="runs">Runs</h2>
      <SavedViews />
      <FilterForm
        scheduleId={scheduleId}
        view={view}
        columns={columns}
        choices={{ statuses: statusesOf(loaded.runs).sort(), recipients }}
        {...(typed && { typed })}
        zone={zone}
      />
      <RunSearch
        scheduleId={scheduleId}
        serviceZone={serviceZone}
        search={String(formatRunView(view))}
        result={found
          ? formatMatches(found.length, loaded.runs.length)
          : "This filter is not valid"}
        codeTexts={<CodeTexts code={runCode(scheduleId, view, target)} />}
        target={target}
      />
      <div id="run-results">
        {!found && (
          <ErrorNotice error={invalidFilter(linkIssues, typed)}>
            <p>
              <a href="?#runs">Show all runs</a>
            </p>
          </ErrorNotice>
        )}
        {found && (
          <RunResults
            {...{ scheduleId, view, columns, dictionary }}
            runs={found}
            words={{ zone, names }}
          />
        )}
        {(loaded.older || loaded.newer) && (
          <p>
            There may be {loaded.newer ? "more" : "older"} runs that were not loaded.{" "}
            {load && (
              <a href={viewHref({ ...view, load, skip: 0 })}>
                Load up to {formatCount(load)} runs
              </a>
            )}
          </p>
        )}
      </div>
    </>
  );
}

function invalidFilter(issues: readonly ParameterIssue[], typed: TypedFilter | undefined) {
  const fields = typed?.issues.map(({ detail }) => detail) ?? [];
  return {
    title: issues.length > 0 ? "This link is not valid" : "This filter is not valid",
    detail: issues.length > 0 ? "Please fix:" : "Please fix the marked fields above.",
    issues: issues.length > 0 ? [...issues.map(formatIssue), ...fields] : [],
  };
}

function statusesOf(runs: readonly ReportRun[]): string[] {
  return [...new Set(runs.flatMap(({ status }) => status || []))];
}

function statusesHref(scheduleId: number, runs: readonly ReportRun[]): string {
  const params = new URLSearchParams({ next: scheduleHref(scheduleId) });
  for (const status of statusesOf(runs).slice(0, MAX_LINKED_STATUSES)) {
    params.append("status", status);
  }
  return `/schedules/statuses?${params}`;
}

import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DurationChart } from "../../../../components/runs/charts/duration_chart.tsx";
import { type CodeTarget, CodeTexts } from "../../../../components/export/code_texts.tsx";
import { formatIssue } from "../../../../components/page/format_issue.ts";
import { FilterForm, type TypedFilter } from "../../../../components/runs/search/filter_form.tsx";
import { runCode } from "../../../../components/runs/search/run_code.ts";
import { shownColumns } from "../../../../components/runs/search/run_columns.ts";
import {
  formatMatches,
  formatMatching,
  RunResults,
} from "../../../../components/runs/search/run_results.tsx";
import { ErrorNotice } from "../../../../components/ui/error_notice.tsx";
import { Observation } from "../../../../components/runs/verdict/observation.tsx";
import { RecipientChart } from "../../../../components/runs/charts/recipient_chart.tsx";
import { recipientChoices } from "../../../../components/runs/recipients/recipient_choices.ts";
import { nextLoad, statusesHref, viewHref } from "../../../../components/runs/run_links.ts";
import { LoadedNote, ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { RunStrip } from "../../../../components/runs/charts/strip.tsx";
import { Summary } from "../../../../components/runs/verdict/summary.tsx";
import { WeekTable } from "../../../../components/runs/charts/week_table.tsx";
import { VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { SavedViews } from "../../../../islands/SavedViews.tsx";
import { RunSearch } from "../../../../islands/RunSearch.tsx";
import { formatCount } from "../../../../lib/format.ts";
import type { StatusDictionary } from "../../../../lib/runs/status.ts";
import { newestFirst } from "../../../../lib/runs/times.ts";
import type { ParameterIssue } from "../../../../lib/search/search_url_read.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { loadPage } from "../../../_errors.ts";
import { type ShownRuns, showRuns } from "./_show_runs.ts";
import { handler, page } from "./$index.ts";

const STRIP_RUNS = 60;

export const handlers = handler({
  GET: (ctx) => showRuns(ctx, ctx.url.searchParams),

  /** The form is sent by POST, so that what somebody types is not put into a URL unchecked. */
  async POST(ctx) {
    let form: URLSearchParams;
    try {
      form = await readFormBody(ctx.req);
    } catch (thrown) {
      return await loadPage(ctx, () => Promise.reject(thrown));
    }
    return await showRuns(ctx, form);
  },
});

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
          {shown.observed === null ? <LoadedNote loaded={shown.loaded} /> : (
            <Observation
              observed={shown.observed}
              loaded={shown.loaded}
              basis={shown.basis}
              scheduleId={shown.scheduleId}
              now={shown.now}
            />
          )}
        </>
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
  // Some of the runs do not show which planned runs were missed.
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
          <a href={statusesHref(scheduleId, statusesOf(loaded.runs))}>Status meanings</a>
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
      <div class="tools">
        <p class="result" role="status" tabIndex={-1} id="run-result">
          {found
            ? formatMatches(found.length, loaded.runs.length)
            : linkIssues.length > 0
            ? "This filter is not valid"
            : "Please fix the marked fields."}
        </p>
        <details class="copy-as menu">
          <summary>Copy as…</summary>
          <div class="card" id="run-copy">
            <CodeTexts code={runCode(scheduleId, view, target)} />
          </div>
        </details>
        <RunSearch scheduleId={scheduleId} serviceZone={serviceZone} />
      </div>
      <div id="run-results">
        {!found && linkIssues.length > 0 && (
          <ErrorNotice error={invalidLink(linkIssues, typed)}>
            <p>
              <a href="?#runs">Show all runs</a>
            </p>
          </ErrorNotice>
        )}
        {/* The fields say what is wrong. */}
        {!found && linkIssues.length === 0 && (
          <p>
            <a href="?#runs">Show all runs</a>
          </p>
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

function invalidLink(issues: readonly ParameterIssue[], typed: TypedFilter | undefined) {
  const fields = typed?.issues.map(({ detail }) => detail) ?? [];
  return {
    title: "This link is not valid",
    detail: "Please fix:",
    issues: [...issues.map(formatIssue), ...fields],
  };
}

function statusesOf(runs: readonly ReportRun[]): string[] {
  return [...new Set(runs.flatMap(({ status }) => status || []))];
}

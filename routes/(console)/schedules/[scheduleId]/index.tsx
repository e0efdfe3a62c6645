import { Calendar } from "../../../../components/runs/charts/calendar.tsx";
import { DurationChart } from "../../../../components/runs/charts/duration_chart.tsx";
import { FilterForm } from "../../../../components/runs/filter_form.tsx";
import {
  Observation,
  type ObservedSchedule,
} from "../../../../components/runs/verdict/observation.tsx";
import { RecipientChart } from "../../../../components/runs/charts/recipient_chart.tsx";
import { recipientChoices } from "../../../../components/runs/recipients/recipient_choices.ts";
import {
  nextLoad,
  readLoad,
  runsHref,
  type RunView,
  scheduleHref,
} from "../../../../components/runs/run_links.ts";
import { packTable } from "../../../../components/runs/run_row.ts";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { RunStrip } from "../../../../components/runs/charts/strip.tsx";
import { Summary } from "../../../../components/runs/verdict/summary.tsx";
import { WeekTable } from "../../../../components/runs/charts/week_table.tsx";
import { VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { formatCount } from "../../../../components/ui/format.ts";
import { type FoundRuns, RunSearch } from "../../../../islands/RunSearch.tsx";
import { DEFAULT_LIMIT } from "../../../../lib/backend.ts";
import { filterRuns, parseRunFilter } from "../../../../lib/runs/filter.ts";
import type { Verdict } from "../../../../lib/runs/judge/judge_schedule.ts";
import type { StatusDictionary } from "../../../../lib/runs/status.ts";
import { parseSearchUrl } from "../../../../lib/search/search_url_read.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readScheduleId } from "../../../../server/http/schedule_id.ts";
import { onlyExpected } from "../../../../server/observer/looking/expected_slots.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import { readRecentSchedules, writeVisit } from "../../../../server/schedules/recent_schedules.ts";
import { loadPage } from "../../../_errors.ts";
import { loadSaid, loadSchedule, recipientsOf, type ScheduleRuns } from "../_runs.ts";
import { loadObserved } from "./_observed.ts";
import { handler, page } from "./$index.ts";

/** How many runs the strip shows. */
const STRIP_RUNS = 60;

/** The maximum number of statuses in a link to the page of statuses. */
const MAX_LINKED_STATUSES = 30;

export const handlers = handler({
  async GET(ctx) {
    const { preferences: { statuses: dictionary, zone }, origin } = ctx.state;
    const { searchParams } = ctx.url;
    const { view, issues } = readView(searchParams);
    const scheduleId = readScheduleId(ctx.params.scheduleId);
    // A form also sends its empty fields.
    if (scheduleId !== null && issues.length === 0 && [...searchParams.values()].includes("")) {
      return ctx.redirect(runsHref(scheduleId, view), 303);
    }
    const result = await loadPage(ctx, async () => {
      if (issues.length > 0) {
        throw new ProblemError(400, "This link is not valid", { errors: issues });
      }
      const schedule = await loadSchedule(ctx, view.load);
      const [{ plan, pauses }, observed] = await Promise.all([
        loadSaid(ctx.state, schedule.scheduleId),
        loadObserved(ctx.state.services, schedule.scheduleId),
      ]);
      const now = Date.now();
      const verdict = judgeLoaded(schedule.loaded, { statuses: dictionary, zone, now, plan });
      const found = filterRuns(schedule.loaded.runs, view.filter, zone);
      return {
        ...schedule,
        verdict: onlyExpected(verdict, { now, pauses, lagMs: 0 }),
        observed,
        elsewhere: recipientsOf(schedule.loaded, dictionary).others
          .reduce((sum, { recipients }) => sum + recipients, 0),
        now,
        found: {
          view,
          rows: packTable(found.slice(view.skip, view.skip + view.limit)),
          count: found.length,
        },
      };
    });
    const { shown } = result.data;
    if (!shown) return result;
    const headers = new Headers();
    writeVisit(headers, {
      scheduleId: shown.scheduleId,
      recent: readRecentSchedules(ctx.req.headers),
      secure: origin.startsWith("https:"),
    });
    return { ...result, headers };
  },
});

function readView(params: URLSearchParams) {
  const { view: { limit = DEFAULT_LIMIT, skip = 0 }, issues } = parseSearchUrl(params);
  const view: RunView = { filter: parseRunFilter(params), limit, skip, load: readLoad(params) };
  return { view, issues };
}

export default page(({ data: { shown, error }, params, state }) => {
  const { statuses, zone, watch } = state.preferences;
  return (
    <>
      <ScheduleHeader
        scheduleId={params.scheduleId}
        current="runs"
        shown={shown}
        error={error}
        actions={<a href="/schedules">Enter another schedule id</a>}
        watch={watch}
      />
      {shown && (
        <>
          <VerdictLine verdict={shown.verdict} scheduleId={shown.scheduleId} now={shown.now} />
          {shown.observed && (
            <Observation
              observed={shown.observed}
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
          <Runs shown={shown} dictionary={statuses} zone={zone} />
        </>
      )}
    </>
  );
});

interface ShownRuns extends ScheduleRuns {
  readonly verdict: Verdict;
  /** What the observer knows of it; null where nobody watches it. */
  readonly observed: ObservedSchedule | null;
  /** How many recipients are at other domains than most, without being new. */
  readonly elsewhere: number;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  readonly found: FoundRuns;
}

/** The facts, the latest runs, and the charts. */
function Overview({ shown, dictionary }: {
  readonly shown: ShownRuns;
  readonly dictionary: StatusDictionary;
}) {
  const { scheduleId, loaded: { runs }, verdict, observed, elsewhere, now } = shown;
  const common = { runs, scheduleId, dictionary };
  return (
    <>
      <Summary verdict={verdict} scheduleId={scheduleId} now={now} elsewhere={elsewhere} />
      <RunStrip {...common} runs={runs.slice(0, STRIP_RUNS)} />
      <p class="help">
        <a href={statusesHref(scheduleId, runs)}>Status meanings</a>
      </p>
      <div class="charts">
        <Calendar
          {...common}
          schedule={verdict.schedule}
          incidents={observed?.marked}
        />
        <RecipientChart {...common} />
        <DurationChart {...common} durations={verdict.durations} />
      </div>
      <WeekTable {...common} schedule={verdict.schedule} />
    </>
  );
}

function Runs({ shown: { scheduleId, loaded, found }, dictionary, zone }: {
  readonly shown: ShownRuns;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}) {
  const load = nextLoad(found.view.load);
  return (
    <>
      <h2 id="runs">Runs</h2>
      <FilterForm
        scheduleId={scheduleId}
        view={found.view}
        choices={{
          statuses: statusesOf(loaded.runs).sort(),
          recipients: recipientChoices(loaded.runs),
        }}
      />
      <RunSearch
        scheduleId={scheduleId}
        initial={found}
        loaded={loaded.runs.length}
        dictionary={dictionary}
        zone={zone}
      />
      {(loaded.older || loaded.newer) && (
        <p>
          There may be {loaded.newer ? "more" : "older"} runs that were not loaded.{" "}
          {load && (
            <a href={`${runsHref(scheduleId, { ...found.view, load, skip: 0 })}#runs`}>
              Load up to {formatCount(load)} runs
            </a>
          )}
        </p>
      )}
    </>
  );
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

import { DEFAULT_LIMIT } from "../../../../lib/request.ts";
import { PageTop } from "../../../../components/page/page_top.tsx";
import { Calendar } from "../../../../components/runs/calendar.tsx";
import { DurationChart } from "../../../../components/runs/duration_chart.tsx";
import { FilterForm } from "../../../../components/runs/filter_form.tsx";
import { judge } from "../../../../lib/runs/judgement.ts";
import { RecipientChart } from "../../../../components/runs/recipient_chart.tsx";
import { recipientChoices } from "../../../../components/runs/recipient_choices.ts";
import { runRow } from "../../../../components/runs/row.ts";
import { SchedulePath, ScheduleViews } from "../../../../components/runs/schedule_head.tsx";
import { RunStrip } from "../../../../components/runs/strip.tsx";
import { Summary } from "../../../../components/runs/summary.tsx";
import { nextLoad, readLoad, runHref, runsHref } from "../../../../components/runs/view.ts";
import { judgedWords } from "../../../../components/runs/words.ts";
import { RunSearch } from "../../../../islands/RunSearch.tsx";
import { filterRuns, parseRunFilter } from "../../../../lib/runs/filter.ts";
import { parseSearchUrl } from "../../../../lib/search_url_read.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readRecentSchedules, writeVisit } from "../../../../server/schedules/recent_schedules.ts";
import { scheduleIdOf } from "../../../../server/http/schedule_id.ts";
import { pageTrouble } from "../../../_trouble.ts";
import { loadSchedule, titleOf } from "../_runs.ts";
import { handler, page } from "./$index.ts";

/** How many runs the strip shows. */
const STRIP_RUNS = 60;

export const handlers = handler({
  async GET(ctx) {
    const { scheduleId: written } = ctx.params;
    const { preferences, origin } = ctx.state;
    const { searchParams } = ctx.url;
    try {
      const scheduleId = scheduleIdOf(ctx.params);
      const { view: { limit = DEFAULT_LIMIT, skip = 0 }, issues } = parseSearchUrl(searchParams);
      if (issues.length > 0) {
        throw new ProblemError(400, "This link can't be read", { errors: issues });
      }
      const view = {
        filter: parseRunFilter(searchParams),
        limit,
        skip,
        load: readLoad(searchParams),
      };
      // A form sends what was left empty as well.
      if ([...searchParams.values()].includes("")) {
        return ctx.redirect(runsHref(scheduleId, view), 303);
      }
      const schedule = await loadSchedule(ctx, view.load);
      const { runs } = schedule.loaded;
      const found = filterRuns(runs, view.filter, preferences.zone);
      const headers = new Headers();
      writeVisit(headers, {
        scheduleId,
        recent: readRecentSchedules(ctx.req.headers),
        secure: origin.startsWith("https:"),
      });
      return {
        data: {
          written,
          shown: {
            ...schedule,
            title: titleOf(schedule),
            judgement: judge(schedule.loaded, {
              dictionary: preferences.statuses,
              now: Date.now(),
            }),
            found: {
              view,
              rows: found.slice(skip, skip + limit).map(runRow),
              count: found.length,
            },
          },
          trouble: null,
        },
        headers,
      };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { written, shown: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { written, shown, trouble }, state }) => {
  const title = shown?.title ?? `Schedule ${written}`;
  const { statuses: dictionary, zone, watch } = state.preferences;
  return (
    <>
      <PageTop
        title={title}
        path={<SchedulePath />}
        trouble={trouble}
        otherWays={<a href="/schedules">Enter another schedule id</a>}
      />
      {shown && (
        <ScheduleViews
          scheduleId={shown.scheduleId}
          present="runs"
          isWatched={watch.includes(shown.scheduleId)}
        />
      )}
      {shown && (shown.loaded.runs.length > 0
        ? (
          <>
            <p class="help">{judgedWords(shown.loaded)}</p>
            <Summary judgement={shown.judgement} scheduleId={shown.scheduleId} />
            <RunStrip
              runs={shown.loaded.runs.slice(0, STRIP_RUNS)}
              dictionary={dictionary}
              href={(runId) => runHref(shown.scheduleId, runId)}
            />
            <p class="help">
              <a href={statusesHref(shown.scheduleId, shown.loaded.runs)}>What the statuses mean</a>
            </p>
            <div class="charts">
              <Calendar
                runs={shown.loaded.runs}
                cadence={shown.judgement.cadence}
                scheduleId={shown.scheduleId}
                dictionary={dictionary}
              />
              <RecipientChart
                runs={shown.loaded.runs}
                scheduleId={shown.scheduleId}
                dictionary={dictionary}
              />
              <DurationChart
                runs={shown.loaded.runs}
                durations={shown.judgement.durations}
                scheduleId={shown.scheduleId}
                dictionary={dictionary}
              />
            </div>
            <h2 id="runs">Runs</h2>
            <FilterForm
              path={`/schedules/${shown.scheduleId}`}
              filter={shown.found.view.filter}
              limit={shown.found.view.limit}
              load={shown.found.view.load}
              choices={{
                statuses: [...new Set(shown.loaded.runs.flatMap(({ status }) => status || []))]
                  .sort(),
                recipients: recipientChoices(shown.loaded.runs),
              }}
            />
            <RunSearch
              scheduleId={shown.scheduleId}
              initial={shown.found}
              loaded={shown.loaded.runs.length}
              dictionary={dictionary}
              zone={zone}
            />
            <LoadMore shown={shown} />
          </>
        )
        : (
          <div class="empty">
            <p>This schedule has never run: its history is empty.</p>
          </div>
        ))}
    </>
  );
});

function statusesHref(scheduleId: number, runs: readonly ReportRun[]): string {
  const params = new URLSearchParams({ next: `/schedules/${scheduleId}` });
  const statuses = new Set(runs.flatMap(({ status }) => status || []));
  for (const status of [...statuses].slice(0, 30)) params.append("status", status);
  return `/schedules/statuses?${params}`;
}

function LoadMore({ shown: { scheduleId, loaded, found: { view } } }: {
  readonly shown: {
    readonly scheduleId: number;
    readonly loaded: { readonly older: boolean; readonly newer: boolean };
    readonly found: { readonly view: Parameters<typeof runsHref>[1] };
  };
}) {
  const load = nextLoad(view.load);
  if (!loaded.older && !loaded.newer) return null;
  return (
    <p>
      There may be {loaded.newer ? "other" : "older"} runs that were not read.{" "}
      {load && (
        <a href={`${runsHref(scheduleId, { ...view, load, skip: 0 })}#runs`}>
          Load {loaded.newer ? "more" : "older"} runs
        </a>
      )}
    </p>
  );
}

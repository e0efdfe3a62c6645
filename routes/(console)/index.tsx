import { Empty } from "../../components/ui/empty.tsx";
import { PageHeader } from "../../components/page/page_header.tsx";
import { dayCells, hoursUntil } from "../../components/runs/charts/day_grid.ts";
import { DueNext } from "../../components/runs/overview/due_next.tsx";
import { OpenIncidents } from "../../components/runs/overview/open_incidents.tsx";
import {
  OverviewFilterForm,
  overviewHref,
  StateCounts,
} from "../../components/runs/overview/overview_filter.tsx";
import { type OverviewRow, OverviewTable } from "../../components/runs/overview/overview_table.tsx";
import { ErrorNotice } from "../../components/ui/error_notice.tsx";
import { ZoneName } from "../../components/ui/moment.tsx";
import { Pager } from "../../components/ui/pager.tsx";
import { formatCountOf } from "../../lib/format.ts";
import { AutoRefresh } from "../../islands/AutoRefresh.tsx";
import { planSlots } from "../../lib/judgement/plans/plan.ts";
import { defaultStatusDictionary } from "../../lib/runs/status.ts";
import { BEHIND } from "../../server/observer/behind.ts";
import { whyNotObserved } from "../../server/observer/service_observer.ts";
import { readPersonName } from "../../server/http/cookies.ts";
import { hasSample } from "../../server/store/sample/has_sample.ts";
import type { ObserverRecords } from "../../server/store/observer/observer_records.ts";
import type { WatchedRun } from "../../server/store/observer/types.ts";
import type { ScheduleOverview } from "../../server/store/observer/overview.ts";
import { invalidFilter } from "./_filter.ts";
import { readOverviewFilter, scheduleRow } from "./_schedule_rows.ts";
import { incidentRow } from "./incidents/_incidents.ts";
import { WatchInput } from "./schedules/_watch_forms.tsx";
import { handler, page } from "./$index.ts";

const PAGE = 30;
const MOST_INCIDENTS = 8;
const MOST_DUE = 9;
/** A schedule that runs every few minutes has more runs in a day than its cells need. */
const MOST_RUNS = 100;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const handlers = handler({
  async GET(ctx) {
    const { services, preferences: { zone } } = ctx.state;
    const { searchParams } = ctx.url;
    const why = whyNotObserved(services);
    const now = Date.now();
    const { filter, offset, issues } = readOverviewFilter(searchParams);
    const { records } = services;
    const hours = hoursUntil(now);
    if (!records) {
      return { data: { why, now, hours, filter, offset, issues, watched: null, isSample: false } };
    }
    const { overview } = records;
    const [counts, { items, total }, due, incidents, ofService] = await Promise.all([
      overview.countHeadlines(),
      overview.list({ ...filter, limit: PAGE, offset }),
      overview.nextDue(now, MOST_DUE + 1),
      openIncidents(records, { now, zone }),
      records.incidents.open(null),
    ]);
    const isBehind = ofService.some(({ code }) => code === BEHIND);
    const ids = items.map(({ scheduleId }) => scheduleId);
    const runs = await records.runs.newestOfEach(ids, MOST_RUNS, hours[0]);
    const rows = items.map((each) => rowOf(each, runs.get(each.scheduleId)!, { hours, now, zone }));
    return {
      data: {
        ...{ why, now, hours, filter, offset, issues },
        watched: {
          counts,
          rows,
          total,
          due,
          incidents,
          isBehind,
          person: readPersonName(ctx.req.headers),
        },
        isSample: total === 0 && services.store !== null && await hasSample(services.store),
      },
      ...(issues.length > 0 && { status: 400 }),
    };
  },
});

/** The open incidents, most severe first, then newest. */
async function openIncidents(
  { incidents, overview }: ObserverRecords,
  moment: { readonly now: number; readonly zone: string },
) {
  const [critical, warning] = await Promise.all(
    (["critical", "warning"] as const).map((severity) =>
      incidents.list({ state: "open", severity, limit: MOST_INCIDENTS })
    ),
  );
  const items = [...critical.items, ...warning.items].slice(0, MOST_INCIDENTS);
  const names = await overview.names(items.map(({ scheduleId }) => scheduleId));
  return {
    total: critical.total + warning.total,
    items: items.map((incident) => incidentRow(incident, names, moment)),
  };
}

function rowOf(
  schedule: ScheduleOverview,
  runs: readonly WatchedRun[],
  { hours, now, zone }: {
    readonly hours: readonly number[];
    readonly now: number;
    readonly zone: string;
  },
): OverviewRow {
  const { details, nextDue } = schedule;
  const plan = details?.plan;
  return {
    ...scheduleRow(schedule, zone),
    isCut: runs.length === MOST_RUNS,
    cells: dayCells({
      now,
      runs: runs.map(({ id, start, run }) => ({ id, start, status: run.status })),
      statuses: schedule.statuses ?? defaultStatusDictionary(),
      missed: details?.missed ?? [],
      overdue: details?.overdue ?? [],
      nextDue,
      // Including those of the day before, since a run may be that late.
      planned: plan
        ? {
          slots: planSlots(plan, hours[0] - DAY, hours[hours.length - 1] + HOUR),
          graceMs: plan.graceMs,
        }
        : null,
    }, hours),
  };
}

/** What is refreshed. */
const PARTS = ["states", "incidents", "due", "filter", "grid"];

export default page(({ data, state }) => {
  const { why, now, hours, filter, offset, issues, watched, isSample } = data;
  const count = watched
    ? Object.values(watched.counts).reduce((sum, each) => sum + each.schedules, 0)
    : 0;
  return (
    <>
      <PageHeader title="Overview" />
      {why && (
        <p class="notice bad" role="alert">
          Nothing is watched. {why}. <a href="/schedules">Schedules</a>{" "}
          are judged whenever you open them.
        </p>
      )}
      {watched && count === 0 && <FirstWatch isSample={isSample} />}
      {watched && count > 0 && (
        <>
          <p class="help">
            {formatCountOf(count, "schedule", "schedules")} watched · times in <ZoneName />
          </p>
          <div id="states">
            <StateCounts counts={watched.counts} filter={filter} />
          </div>
          <div id="incidents">
            {watched.isBehind && (
              <p class="notice bad" role="alert">
                The service answers too slowly for this many schedules: what is shown here may be
                old.
              </p>
            )}
            <OpenIncidents
              total={watched.incidents.total}
              incidents={watched.incidents.items}
              person={watched.person}
              now={now}
              next={overviewHref(filter, offset)}
            />
          </div>
          <div id="due">
            <DueNext
              due={watched.due.slice(0, MOST_DUE)}
              isMore={watched.due.length > MOST_DUE}
              now={now}
            />
          </div>
          <section aria-labelledby="last-day">
            <h2 id="last-day">Last 24 hours</h2>
            <div id="filter">
              <OverviewFilterForm filter={filter} />
            </div>
            <div id="grid">
              {issues.length > 0
                ? <ErrorNotice error={invalidFilter(issues)} />
                : watched.rows.length > 0
                ? <OverviewTable rows={watched.rows} hours={hours} now={now} />
                : (
                  <Empty>
                    {watched.total > 0
                      ? "This page is past the last schedule."
                      : "No watched schedules match."}
                  </Empty>
                )}
              {issues.length === 0 && (
                <Pager
                  position={{
                    start: offset,
                    count: watched.rows.length,
                    limit: PAGE,
                    total: watched.total,
                  }}
                  href={(start) => overviewHref(filter, start)}
                  label="Pages of schedules"
                />
              )}
            </div>
            <div class="watch-actions">
              <AutoRefresh
                parts={PARTS}
                seconds={filter.refresh ?? 0}
                zone={state.preferences.zone}
              />
            </div>
          </section>
        </>
      )}
    </>
  );
});

/** How to start if nothing is watched yet. */
function FirstWatch({ isSample }: { readonly isSample: boolean }) {
  return (
    <div class="empty">
      <p>
        No schedules are watched yet. Add some, and Docket tells you when something is wrong.
      </p>
      <form method="post" action="/schedules/watch">
        <input type="hidden" name="next" value="/" />
        <WatchInput />
      </form>
      {isSample && (
        <form method="post" action="/schedules/watch">
          <input type="hidden" name="next" value="/" />
          <p>
            In the sample data, each schedule from 101 to 112 tells a different story.{" "}
            <button type="submit" name="add" value="101-112">Watch 101 to 112</button>
          </p>
        </form>
      )}
    </div>
  );
}

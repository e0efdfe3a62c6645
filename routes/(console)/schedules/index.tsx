import { Empty } from "../../../components/ui/empty.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { scheduleHref } from "../../../components/runs/run_links.ts";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "../../../components/runs/overview/schedule_table.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { ObserverRecords } from "../../../server/store/observer/observer_records.ts";
import type { ScheduleFilter } from "../../../server/store/observer/overview.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";
import { whyNotObserved } from "../../../server/observer/service_observer.ts";
import { readRecentSchedules } from "../../../server/schedules/recent_schedules.ts";
import { hasSample } from "../../../server/store/sample/has_sample.ts";
import { invalidFilter } from "../_filter.ts";
import { readOverviewFilter, scheduleRow } from "../_schedule_rows.ts";
import { AddForm, OpenForm, RecentSchedules } from "./_watch_forms.tsx";
import { handler, page } from "./$index.ts";

const PATH = "/schedules";
const PAGE = 50;

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { services, preferences: { zone } } = ctx.state;
    const { records, store } = services;
    const typed = searchParams.get("id")?.trim() ?? null;
    const scheduleId = readScheduleId(typed ?? "");
    if (scheduleId !== null) return ctx.redirect(scheduleHref(scheduleId), 303);
    const { filter, offset, issues } = readOverviewFilter(searchParams);
    const now = Date.now();
    return {
      data: {
        now,
        typed,
        typedIds: searchParams.get("add"),
        recent: readRecentSchedules(ctx.req.headers),
        filter,
        offset,
        issues,
        watched: records &&
          await loadWatchList(records, { ...filter, limit: PAGE, offset }, { now, zone }),
        why: whyNotObserved(services),
        isSample: store !== null && await hasSample(store),
      },
      ...(typed !== null || issues.length > 0 ? { status: 400 } : {}),
    };
  },
});

/** The watched schedules that match, most urgent first, as their last polls found them. */
async function loadWatchList(
  { overview }: ObserverRecords,
  filter: ScheduleFilter,
  moment: { readonly now: number; readonly zone: string },
) {
  const [{ items, total }, headlines] = await Promise.all([
    overview.list(filter),
    overview.countHeadlines(),
  ]);
  const counts = Object.entries(headlines).map((
    [headline, { schedules }],
  ) => [headline, schedules]);
  return {
    rows: items.map((schedule) => scheduleRow(schedule, moment)),
    counts: Object.fromEntries(counts) as Record<Headline, number>,
    total,
  };
}

/** What is refreshed. */
const PARTS = ["watched"];

export default page(({ data, state }) => {
  const { now, typed, typedIds, recent, filter, offset, issues, watched, why, isSample } = data;
  const isFiltered = !!(filter.headline || filter.text || filter.owner || offset);
  const isUsed = watched !== null && (watched.total > 0 || isFiltered);
  return (
    <>
      <PageHeader title="Schedules" />
      {why && (
        <p class="notice bad" role="alert">
          Nothing is watched. {why}. You can open one schedule at a time.
        </p>
      )}
      <OpenForm typed={typed} isSample={isSample} />
      {recent.length > 0 && <RecentSchedules ids={recent} />}
      {watched && (
        <section aria-labelledby="watch-list">
          <h2 id="watch-list">Watched schedules</h2>
          <form id="watch-change" method="post" action="/schedules/watch">
            <input type="hidden" name="next" value={PATH} />
          </form>
          {isUsed && <OverviewFilterLine counts={watched.counts} filter={filter} path={PATH} />}
          <div id="watched">
            {issues.length > 0
              ? <ErrorNotice error={invalidFilter(issues)} />
              : watched.rows.length > 0
              ? (
                <>
                  <p class="help">
                    {formatCountOf(watched.total, "schedule", "schedules")}, most urgent first, as
                    last checked.
                  </p>
                  <ScheduleTable rows={watched.rows} now={now} hasActions />
                </>
              )
              : (
                <Empty>
                  {watched.total > 0
                    ? "This page is past the last schedule."
                    : isFiltered
                    ? "No watched schedules match."
                    : "No schedules are watched yet."}
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
                href={(start) => overviewHref(filter, start, PATH)}
                label="Pages of watched schedules"
              />
            )}
          </div>
          {isUsed && (
            <div class="watch-actions">
              <AutoRefresh
                parts={PARTS}
                seconds={filter.refresh ?? 0}
                zone={state.preferences.zone}
              />
            </div>
          )}
          <AddForm typed={typedIds} />
        </section>
      )}
      <p>
        <a href="/schedules/statuses">Status meanings</a>
      </p>
    </>
  );
});

import { FormKey } from "../../../components/ui/form_key.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { RowForm } from "../../../components/runs/incidents/silence.tsx";
import { scheduleHref, SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "../../../components/runs/overview/schedule_table.tsx";
import { FilteredRows } from "../../../components/ui/filtered_rows.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import type { ScheduleFilter } from "../../../server/store/records/overview.ts";
import { readScheduleId } from "../../../server/http/request_query.ts";
import { coverageText } from "../../../server/schedules/coverage.ts";
import { SAMPLE } from "../../../server/store/sample/fill.ts";
import { NotWatched } from "../_not_watched.tsx";
import { PAGE } from "../../../server/pages/filter.ts";
import { readOverviewFilter, scheduleRows } from "../../../server/pages/schedule_rows.ts";
import { AddForm, ChosenActions, OpenForm } from "./_watch_forms.tsx";
import { handler, page } from "./$index.ts";

const PATH = "/schedules";

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
        filter,
        offset,
        issues,
        known: records &&
          await loadKnown(records, { ...filter, limit: PAGE, offset }, { now, zone }),
        isSample: await store?.metadata(SAMPLE) !== undefined,
      },
      ...(typed !== null || issues.length > 0 ? { status: 400 } : {}),
    };
  },
});

async function loadKnown(
  records: ObserverRecords,
  filter: ScheduleFilter,
  moment: { readonly now: number; readonly zone: string },
) {
  const { overview } = records;
  const among = filter.among ?? "known";
  const [{ items, total }, headlines, coverage] = await Promise.all([
    overview.list({ ...filter, among }),
    overview.countHeadlines(among),
    coverageText(records, moment.zone),
  ]);
  const counts = Object.entries(headlines).map(([name, { schedules }]) => [name, schedules]);
  const rows = await scheduleRows(records, items, moment);
  return {
    rows,
    counts: Object.fromEntries(counts) as Record<Headline, number>,
    position: { start: filter.offset ?? 0, count: rows.length, limit: PAGE, total },
    coverage,
  };
}

export default page(({ data, state }) => {
  const { now, typed, typedIds, filter, offset, issues, known, isSample } = data;
  const { headline, text, owner, among } = filter;
  const isFiltered = !!(headline || text || owner || among || offset);
  const isUsed = known !== null && (known.position.total > 0 || isFiltered);
  return (
    <>
      <PageHeader title="Schedules" />
      <NotWatched services={state.services}>You can open one schedule at a time.</NotWatched>
      {known && (
        <section aria-label="Known schedules">
          <RowForm next={PATH} />
          <ForActing>
            <form id="watch-change" method="post" action="/schedules/watch">
              <FormKey />
              <input type="hidden" name="next" value={PATH} />
            </form>
          </ForActing>
          <div id="known">
            {isUsed && <OverviewFilterLine counts={known.counts} filter={filter} path={PATH} />}
            <FilteredRows
              issues={issues}
              position={known.position}
              href={(start) => overviewHref(filter, start, PATH)}
              label="Pages of known schedules"
              empty={isFiltered ? "No known schedules match." : "No schedules are known yet."}
            >
              <ScheduleTable rows={known.rows} now={now} hasActions />
              <ForActing>
                <ChosenActions />
              </ForActing>
            </FilteredRows>
          </div>
          {isUsed && (
            <div class="watch-actions">
              <AutoRefresh parts={["known"]} zone={state.preferences.zone} />
            </div>
          )}
          <p class="help">
            {known.coverage}.{" "}
            <ForActing>
              <a href="/schedules/file">Add from a file</a> ·{" "}
              <a href="/schedules/find">Scan for schedules</a>
            </ForActing>
          </p>
          <ForActing>
            <AddForm next={PATH} typed={typedIds} />
          </ForActing>
        </section>
      )}
      <OpenForm typed={typed} isSample={isSample} />
      <p>
        <a href={SERVICE_PATH}>What statuses mean</a> · <a href="/owners">Owners</a>
      </p>
    </>
  );
});

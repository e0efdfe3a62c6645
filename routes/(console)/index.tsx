import { PageTitle } from "../../components/page/page_header.tsx";
import { DayLine } from "../../components/runs/overview/day_line.tsx";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "./schedules/_schedule_table.tsx";
import { OutageBanner } from "../../components/ui/notices.tsx";
import { Empty, FilteredRows } from "../../components/ui/list.tsx";
import { loadToday } from "../../server/pages/today.ts";
import { LaterToday, Lede, NeedsAttention, TodayDate, WhoIsNotified } from "./_today.tsx";
import { NotWatched } from "./_not_watched.tsx";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  GET: async ({ state, url }) => ({ data: await loadToday(state, url.searchParams) }),
});

export default page(({ data, state }) => {
  const { filter, watched } = data;
  return (
    <div class="today">
      <PageTitle title="Today" />
      {!watched?.count && <h1>Today</h1>}
      <NotWatched services={state.services}>
        <a href="/schedules">Schedules</a> are judged whenever you open them.
      </NotWatched>
      {watched?.count === 0 && (
        <Empty>
          No schedules are watched.{" "}
          <a href="/schedules">Add some</a>, and Docket notices when something is wrong.
        </Empty>
      )}
      {watched && watched.count > 0 && (
        <>
          <div id="today" data-refreshed>
            {watched.outage && <OutageBanner {...watched.outage} />}
            <TodayDate polled={watched.polled} />
            <Lede {...watched} needed={watched.attention.needed.total} />
            {watched.unjudged !== "all" && <DayLine summary={watched.summary} />}
          </div>
          <div class="beside">
            <div id="attention" data-refreshed>
              <NeedsAttention
                {...watched.attention}
                unjudged={watched.unjudged}
                now={data.now}
              />
            </div>
            <div id="side" data-refreshed>
              {watched.unjudged !== "all" && <LaterToday {...watched} />}
              <WhoIsNotified {...watched.outlets} />
            </div>
          </div>
          <section>
            <h2 id="schedules">Schedules</h2>
            <div id="filter" data-refreshed>
              <OverviewFilterLine counts={watched.counts} filter={filter} />
            </div>
            <div id="table" data-refreshed>
              <FilteredRows
                position={watched.position}
                href={(start) => overviewHref(filter, start)}
                label="Pages of schedules"
                empty="No watched schedules match."
              >
                <ScheduleTable rows={watched.rows} />
              </FilteredRows>
            </div>
          </section>
        </>
      )}
    </div>
  );
});

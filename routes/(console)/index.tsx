import { PageTitle } from "../../components/page/page_header.tsx";
import { DayLine } from "../../components/runs/overview/day_line.tsx";
import {
  listHref,
  OverviewFilterLine,
  overviewHref,
} from "../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "./schedules/_schedule_table.tsx";
import { OutageBanner } from "../../components/runs/outage.tsx";
import { RowForm } from "../../components/runs/incidents/silence.tsx";
import { FilteredRows } from "../../components/ui/pager.tsx";
import { loadToday } from "../../server/pages/today.ts";
import {
  CheckProgress,
  LaterToday,
  Lede,
  NeedsAttention,
  TodayDate,
  WhoIsNotified,
} from "./_today.tsx";
import { formatCountOf } from "../../lib/format.ts";
import { OperatorsOnly } from "../../components/ui/acting.tsx";
import { NotWatched } from "./_not_watched.tsx";
import { AddForm } from "./schedules/_watch_forms.tsx";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const data = await loadToday(ctx.state, ctx.url.searchParams);
    return { data, ...(data.issues.length > 0 && { status: 400 }) };
  },
});

export default page(({ data, state }) => {
  const { filter, offset, issues, watched } = data;
  return (
    <div class="today">
      <PageTitle title="Today" />
      {!watched?.count && <h1>Today</h1>}
      <NotWatched services={state.services}>
        <a href="/schedules">Schedules</a> are judged whenever you open them.
      </NotWatched>
      {watched?.count === 0 && <FirstWatch known={watched.known} />}
      {watched && watched.count > 0 && (
        <>
          <div id="today" data-refreshed>
            {watched.outage && <OutageBanner outage={watched.outage} />}
            <TodayDate polled={watched.polled} next={overviewHref(filter, offset)} />
            <Lede {...watched} needed={watched.attention.needed.total} />
            {watched.check && <CheckProgress {...watched.check} />}
            {watched.unjudged !== "all" && <DayLine summary={watched.summary} />}
          </div>
          <div class="beside">
            <div id="attention" data-refreshed>
              <RowForm next={overviewHref(filter, offset)} />
              <NeedsAttention
                {...watched.attention}
                unjudged={watched.unjudged}
                now={data.now}
                next={overviewHref(filter, offset)}
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
                issues={issues}
                position={watched.position}
                href={(start) => listHref(filter, start)}
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

function FirstWatch({ known }: { readonly known: number }) {
  return (
    <div class="card empty">
      <p>
        No schedules are watched.{" "}
        <OperatorsOnly>Add some, and Docket notices when something is wrong.</OperatorsOnly>
      </p>
      <AddForm next="/" />
      <p>
        {known > 0 && (
          <>
            <a href="/schedules?list=unwatched">
              {formatCountOf(known, "known schedule", "known schedules")}
            </a>{" "}
            ·{" "}
          </>
        )}
        <OperatorsOnly>
          <a href="/schedules/find">Scan for schedules</a> ·{" "}
          <a href="/schedules/file">Add from a file</a> ·{" "}
        </OperatorsOnly>
        <a href="/service">What Docket knows of the service</a>
      </p>
    </div>
  );
}

import { ActionForm, OperatorsOnly } from "../../../components/ui/form.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { OutageBanner } from "../../../components/ui/notices.tsx";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "./_schedule_table.tsx";
import { Section } from "../../../components/ui/section.tsx";
import { FilteredRows } from "../../../components/ui/list.tsx";
import { NotWatched } from "../_not_watched.tsx";
import { loadSchedules } from "../../../server/pages/schedules.ts";
import { AddForm, ChosenActions } from "./_watch_forms.tsx";
import { handler, page } from "./$index.ts";

const PATH = "/schedules";

export const handlers = handler({
  GET: async ({ state, url }) => ({ data: await loadSchedules(state, url.searchParams) }),
});

export default page(({ data, state }) => {
  const { typedIds, filter, known } = data;
  const { headline, text, owner, among } = filter;
  const isUsed = known !== null && known.lists.known > 0;
  return (
    <>
      <PageHeader title="Schedules" />
      <NotWatched services={state.services}>
        To open a schedule, type its id into the search.
      </NotWatched>
      {known && (
        <section aria-label="Known schedules">
          <ActionForm id="watch-change" action="/schedules/watch" />
          <div id="known" data-refreshed={isUsed || undefined}>
            {known.outage && <OutageBanner {...known.outage} />}
            {isUsed && <OverviewFilterLine {...known} filter={filter} path={PATH} />}
            {isUsed && (
              <FilteredRows
                position={known.position}
                href={(start) => overviewHref(filter, start, PATH)}
                label="Pages of known schedules"
                empty="No known schedules match."
              >
                <ScheduleTable rows={known.rows} hasActions />
                <OperatorsOnly>
                  <ChosenActions
                    unwatched={among === "unwatched" && !(headline || text || owner)
                      ? known.position.total
                      : 0}
                  />
                </OperatorsOnly>
              </FilteredRows>
            )}
          </div>
        </section>
      )}
      {known && (
        <Section id="add" title="Add schedules">
          <p class="help">
            {known.coverage}.{" "}
            <OperatorsOnly>
              <a href="/schedules/file">Add from a file</a> ·{" "}
              <a href="/schedules/find">Scan for schedules</a>
            </OperatorsOnly>
          </p>
          <AddForm typed={typedIds} />
        </Section>
      )}
    </>
  );
});

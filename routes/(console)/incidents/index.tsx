import { PageHeader } from "../../../components/page/page_header.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { IncidentTable } from "../../../components/runs/incidents/incident_table.tsx";
import { whyNotObserved } from "../../../server/observer/service_observer.ts";
import { incidentRow, recordsOf } from "./_incidents.ts";
import { FilteredList, readList } from "./_list.tsx";
import { handler, page } from "./$index.ts";

const CHOICES = {
  state: ["all", "open", "resolved"],
  severity: ["all", "critical", "warning"],
} as const;

export const handlers = handler({
  async GET(ctx) {
    const { services, preferences: { zone } } = ctx.state;
    const records = recordsOf(services);
    const { filter, list, ...answer } = readList(ctx.url.searchParams, CHOICES);
    const [{ items, total }, counts] = await Promise.all([
      records.incidents.list(filter),
      records.overview.countHeadlines(),
    ]);
    const names = await records.overview.names(items.map(({ scheduleId }) => scheduleId));
    const now = Date.now();
    return {
      data: {
        list,
        incidents: items.map((incident) => incidentRow(incident, names, { now, zone })),
        total,
        watched: Object.values(counts).reduce((sum, { schedules }) => sum + schedules, 0),
        why: whyNotObserved(services),
      },
      ...answer,
    };
  },
});

export default page(({ data: { list, incidents, total, watched, why } }) => (
  <>
    <PageHeader title="Incidents" />
    {why && <p class="notice bad" role="alert">Nothing is watched. {why}.</p>}
    <FilteredList
      path="/incidents"
      list={list}
      label="Pages of incidents"
      count={incidents.length}
      total={total}
    >
      <IncidentTable incidents={incidents} isFiltered={list.isFiltered} />
    </FilteredList>
    <p class="help">
      {formatCountOf(watched, "schedule is", "schedules are")} watched.{" "}
      <a href="/incidents/deliveries">Deliveries</a> · <a href="/incidents/feeds">Feeds</a>
    </p>
  </>
));

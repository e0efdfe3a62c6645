import { PageHeader } from "../../../components/page/page_header.tsx";
import { RowForm } from "../../../components/runs/incidents/silence.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { IncidentTable } from "../../../components/runs/incidents/incident_table.tsx";
import { whyNotObserved } from "../../../server/observer/service_observer.ts";
import { watchName } from "../../../server/store/records/watches.ts";
import { loadIncidentSilence, loadSilences } from "../_silences.ts";
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
    const ids = items.flatMap(({ scheduleId }) => scheduleId ?? []);
    const watches = await records.watches.list([...new Set(ids)]);
    const names = new Map(watches.map((watch) => [watch.scheduleId, watchName(watch)]));
    const now = Date.now();
    const ofSchedules = await loadSilences(records, watches, now);
    const incidents = items.map(async (incident) => ({
      ...incidentRow(incident, names, zone),
      silences: [
        ...await loadIncidentSilence(records, incident, now),
        ...(incident.resolved === null && ofSchedules.get(incident.scheduleId ?? NaN) || []),
      ],
    }));
    return {
      data: {
        list,
        incidents: await Promise.all(incidents),
        now,
        next: ctx.url.pathname + ctx.url.search,
        total,
        watched: Object.values(counts).reduce((sum, { schedules }) => sum + schedules, 0),
        why: whyNotObserved(services),
      },
      ...answer,
    };
  },
});

const PART = "incidents";

export default page(({ data: { list, incidents, now, next, total, watched, why }, state }) => (
  <>
    <PageHeader title="Incidents" />
    <RowForm next={next} />
    {why && <p class="notice bad" role="alert">Nothing is watched. {why}.</p>}
    <FilteredList
      path="/incidents"
      list={list}
      label="Pages of incidents"
      count={incidents.length}
      total={total}
    >
      <div id={PART}>
        <p class="unseen" data-announced>{formatCountOf(total, "incident", "incidents")}</p>
        <IncidentTable incidents={incidents} isFiltered={list.isFiltered} now={now} />
      </div>
    </FilteredList>
    <AutoRefresh parts={[PART]} zone={state.preferences.zone} />
    <p class="help">
      {formatCountOf(watched, "schedule is", "schedules are")} watched.{" "}
      <a href="/incidents/deliveries">Deliveries</a> · <a href="/owners">Owners</a>
    </p>
  </>
));

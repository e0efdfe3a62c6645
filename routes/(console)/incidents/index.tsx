import { PageHeader } from "../../../components/page/page_header.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { IncidentTable } from "../../../components/runs/incidents/incident_table.tsx";
import { ScheduleInput } from "../../../components/runs/incidents/schedule_input.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { Choice } from "../../../components/ui/form.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import type { IncidentFilter } from "../../../server/store/observer/incidents.ts";
import { invalidFilter, readFilter } from "./_filter.ts";
import { incidentRow, recordsOf, whyNotLooked } from "./_incidents.ts";
import { handler, page } from "./$index.ts";

const PAGE = 50;
const STATES = ["all", "open", "resolved"] as const;
const SEVERITIES = ["all", "critical", "warning"] as const;

export const handlers = handler({
  async GET(ctx) {
    const { services } = ctx.state;
    const { searchParams } = ctx.url;
    const records = recordsOf(services);
    const read = readFilter(searchParams);
    const state = read.choice("state", STATES);
    const severity = read.choice("severity", SEVERITIES);
    const { scheduleId, typed } = read.schedule();
    const offset = read.offset();
    const filter: IncidentFilter = {
      ...(state === "all" ? {} : { state }),
      ...(severity === "all" ? {} : { severity }),
      ...(scheduleId === undefined ? {} : { scheduleId }),
      limit: PAGE,
      offset,
    };
    const [{ items, total }, states] = await Promise.all([
      records.incidents.list(filter),
      records.overview.countStates(),
    ]);
    const names = await records.overview.names(items.map(({ scheduleId }) => scheduleId));
    const now = Date.now();
    return {
      data: {
        incidents: items.map((incident) => incidentRow(incident, names, now)),
        total,
        offset,
        state,
        severity,
        typed,
        issues: read.issues,
        watched: Object.values(states).reduce((sum, { schedules }) => sum + schedules, 0),
        why: whyNotLooked(services),
      },
      ...(read.issues.length > 0 && { status: 400 }),
    };
  },
});

export default page(({ data }) => {
  const { incidents, total, offset, state, severity, typed, issues, watched, why } = data;
  const href = (start: number) =>
    `/incidents?${new URLSearchParams({
      state,
      severity,
      ...(typed && { schedule: typed }),
      offset: String(start),
    })}`;
  return (
    <>
      <PageHeader title="Incidents" />
      {why && <p class="notice bad" role="alert">Nothing is watched. {why}.</p>}
      <form method="get" action="/incidents" class="panel" autocomplete="off">
        <fieldset>
          <legend>Filter</legend>
          <div class="inputs">
            <Choice
              name="state"
              label="State"
              selected={state}
              options={STATES.map((value) => ({ value, text: value }))}
            />
            <Choice
              name="severity"
              label="Severity"
              selected={severity}
              options={SEVERITIES.map((value) => ({ value, text: value }))}
            />
            <ScheduleInput typed={typed} />
            <button type="submit">Filter</button>
          </div>
        </fieldset>
      </form>
      {issues.length > 0 ? <ErrorNotice error={invalidFilter(issues)} /> : (
        <>
          <IncidentTable
            incidents={incidents}
            isFiltered={state !== "all" || severity !== "all" || !!typed || offset > 0}
          />
          <Pager
            position={{ start: offset, count: incidents.length, limit: PAGE, total }}
            href={href}
            label="Pages of incidents"
          />
        </>
      )}
      <p class="help">
        {formatCountOf(watched, "schedule is", "schedules are")} watched.{" "}
        <a href="/incidents/deliveries">Deliveries</a> · <a href="/incidents/feeds">Feeds</a>
      </p>
    </>
  );
});

import { formatCountOf } from "../../../lib/format.ts";
import { Head } from "fresh/runtime";
import { IncidentTable } from "../../../components/runs/incidents/incident_table.tsx";
import { Choice } from "../../../components/ui/form.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { wholeNumber } from "../../../server/config/whole_number.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";
import type { IncidentFilter } from "../../../server/store/observer/incidents.ts";
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
    const state = STATES.find((each) => each === searchParams.get("state")) ?? "all";
    const severity = SEVERITIES.find((each) => each === searchParams.get("severity")) ?? "all";
    const schedule = readScheduleId(searchParams.get("schedule") ?? "");
    const offset = Math.max(0, wholeNumber(searchParams.get("offset") ?? "") ?? 0);
    const filter: IncidentFilter = {
      ...(state === "all" ? {} : { state }),
      ...(severity === "all" ? {} : { severity }),
      ...(schedule === null ? {} : { scheduleId: schedule }),
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
        schedule,
        watched: Object.values(states).reduce((sum, count) => sum + count, 0),
        why: whyNotLooked(services),
      },
    };
  },
});

export default page(({ data }) => {
  const { incidents, total, offset, state, severity, schedule, watched, why } = data;
  const href = (start: number) => {
    const params = new URLSearchParams({ state, severity, offset: String(start) });
    if (schedule !== null) params.set("schedule", String(schedule));
    return `/incidents?${params}`;
  };
  return (
    <>
      <Head>
        <title>Incidents · Docket</title>
      </Head>
      <h1>Incidents</h1>
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
            <div class="labelled">
              <label for="schedule">Schedule id</label>
              <input id="schedule" name="schedule" inputMode="numeric" value={schedule ?? ""} />
            </div>
            <button type="submit">Filter</button>
          </div>
        </fieldset>
      </form>
      <IncidentTable incidents={incidents} />
      <Pager
        position={{ start: offset, count: incidents.length, limit: PAGE, total }}
        href={href}
        label="Pages of incidents"
      />
      <p class="help">
        {formatCountOf(watched, "schedule is", "schedules are")} watched.{" "}
        <a href="/incidents/deliveries">What was sent about incidents</a> ·{" "}
        <a href="/incidents/feeds">Feeds</a>
      </p>
    </>
  );
});

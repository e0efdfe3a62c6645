import { PageHeader } from "../../../components/page/page_header.tsx";
import { runHref, scheduleHref } from "../../../components/runs/run_links.ts";
import { DeliveryTable } from "../../../components/runs/incidents/delivery_table.tsx";
import {
  IncidentActions,
  type IncidentView,
} from "../../../components/runs/incidents/incident_actions.tsx";
import {
  incidentHref,
  SeverityMark,
  stateWords,
} from "../../../components/runs/incidents/incident_table.tsx";
import { Fact } from "../../../components/ui/fact.tsx";
import { Timeline } from "../../../components/runs/incidents/timeline.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { isMutedAt } from "../../../lib/judgement/incident.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { isPolled, isReopenable } from "../../../server/observer/actions.ts";
import { readPersonName, writePersonName } from "../../../server/http/cookies.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { watchName } from "../../../server/store/observer/watches.ts";
import type { Services } from "../../../server/program/services.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { act, type ActIssue, isOpenEnded, isOpenGap } from "./_act.ts";
import { deliveryRow, incidentRow, recordsOf } from "./_incidents.ts";
import { handler, page } from "./$[incidentId].ts";

const DELIVERIES = 20;

export const handlers = handler({
  async GET({ state, params, req }) {
    const form = new URLSearchParams({ name: readPersonName(req.headers) });
    const data = await loadIncident(state, params.incidentId, form);
    return { data: { ...data, error: null } };
  },

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { incidentId } = ctx.params;
    const error = await act(ctx.state, incidentId, form, ctx.req.headers);
    if (error === null) {
      const next = safeRedirectPath(form.get("next") || incidentHref(incidentId));
      const response = ctx.redirect(next, 303);
      const isSecure = ctx.state.origin.startsWith("https:");
      writePersonName(response.headers, form.get("name"), isSecure);
      return response;
    }
    const data = await loadIncident(ctx.state, incidentId, form);
    return { data: { ...data, error }, status: error === "state" || error === "watch" ? 409 : 400 };
  },
});

/** The data of an incident's page, with what its forms begin with. */
async function loadIncident(
  { services, preferences: { zone } }: {
    readonly services: Services;
    readonly preferences: { readonly zone: string };
  },
  id: string,
  form: URLSearchParams,
) {
  const records = recordsOf(services);
  const incident = await records.incidents.get(id);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const { scheduleId, reason } = incident;
  const watch = scheduleId === null ? undefined : await records.watches.get(scheduleId);
  const [open, isPolledNow, own, ofSchedule, deliveries] = await Promise.all([
    records.incidents.open(scheduleId),
    isPolled(records, incident, watch),
    records.incidents.timeline(id),
    records.watchEvents.during(incident),
    records.deliveries.list({ incidentId: id, limit: DELIVERIES }),
  ]);
  const names = new Map(watch ? [[watch.scheduleId, watchName(watch)]] : []);
  const now = Date.now();
  const row = incidentRow(incident, names, zone);
  const view: IncidentView = {
    typed: {
      name: form.get("name") ?? "",
      note: form.get("note") ?? "",
      span: form.get("span") ?? "1d",
      until: form.get("until") ?? "",
    },
    id,
    scheduleId,
    isOpen: incident.resolved === null,
    isReopenable: isPolledNow && isReopenable(incident, open),
    isAcknowledged: incident.acknowledged !== null,
    isMuted: isMutedAt(incident, now),
    isGap: isOpenGap(incident),
    isWatched: watch !== undefined,
    isScheduleMuted: watch !== undefined && isMutedAt(watch, now),
    pausedFrom: watch?.pauses.find(isOpenEnded)?.from ?? null,
    pauses: (watch?.pauses ?? []).filter((pause) => !isOpenEnded(pause)),
  };
  return {
    row,
    view,
    scheduleName: watch ? watchName(watch) : "",
    seen: incident.seen,
    since: reason.since,
    flaps: incident.flaps,
    runs: reason.runs,
    timeline: [...own, ...ofSchedule].toSorted((a, b) => a.at - b.at),
    deliveries: deliveries.items.map(deliveryRow),
  };
}

/** The possible errors of an action. */
const ERRORS: Readonly<Record<ActIssue, string>> = {
  name: "Enter your name: it is shown in the timeline.",
  note: "Enter a note to add.",
  until: "Enter a future time, such as 2030-01-31T06:00, or leave it empty and choose a duration.",
  state: "That is no longer possible: somebody else has changed the incident.",
  watch:
    "Docket no longer watches this, so it would notice no change. Watch the schedule again first.",
};

export default page(({ data }) => {
  const { row, view, seen, since, flaps, runs, timeline, deliveries } = data;
  const { scheduleId } = view;
  const error = data.error === null ? undefined : ERRORS[data.error];
  return (
    <>
      <PageHeader title={row.summary} path={[["/incidents", "Incidents"]]} />
      {error && <p class="notice bad" role="alert">{error}</p>}
      <div class="columns">
        <div>
          <dl class="facts">
            {scheduleId !== null && (
              <Fact name="Schedule">
                <a href={scheduleHref(scheduleId)}>{scheduleId} {data.scheduleName}</a>
              </Fact>
            )}
            <Fact name="Severity">
              <SeverityMark severity={row.severity} />
            </Fact>
            <Fact name="State">{stateWords(row)}</Fact>
            <Fact name="Since">
              <LoneMoment at={since} />
            </Fact>
            <Fact name="Opened">
              <LoneMoment at={row.opened} />
            </Fact>
            <Fact name={row.resolved ? "Resolved" : "Last seen"}>
              <LoneMoment at={row.resolved ?? seen} />
            </Fact>
            {flaps > 0 && <Fact name="Opened again">{formatCountOf(flaps, "time", "times")}</Fact>}
            {scheduleId !== null && runs.length > 0 && (
              <Fact name="Runs">
                {runs.map((run, at) => (
                  <span key={run}>
                    {at > 0 && ", "}
                    <a href={runHref(scheduleId, run)}>{run}</a>
                  </span>
                ))}
              </Fact>
            )}
          </dl>
        </div>
        <div>
          <IncidentActions view={view} />
        </div>
      </div>
      <h2>Timeline</h2>
      <Timeline name="Timeline" events={timeline} />
      {deliveries.length > 0 && (
        <>
          <h2>Deliveries</h2>
          <DeliveryTable deliveries={deliveries} />
        </>
      )}
    </>
  );
});

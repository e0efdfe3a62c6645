import { FormKey } from "../../../components/ui/form_key.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { recipientsHref, scheduleHref, SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import { Strip, StripLegend } from "../../../components/runs/charts/strip.tsx";
import {
  IncidentActions,
  NoteField,
} from "../../../components/runs/incidents/incident_actions.tsx";
import {
  IncidentNotified,
  MeantFor,
  Timeline,
} from "../../../components/runs/incidents/incident_story.tsx";
import {
  incidentHref,
  SeverityMark,
  stateWords,
} from "../../../components/runs/incidents/incident_table.tsx";
import { ROW_FORM, SilenceNote } from "../../../components/runs/incidents/silence.tsx";
import { StateBadge, toneOf } from "../../../components/runs/verdict/state_badge.tsx";
import { When, ZoneName } from "../../../components/ui/moment.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";
import { readPersonName } from "../../../server/http/cookies.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { NAME_MISSING, rememberName } from "../_actions.ts";
import { act, type ActIssue } from "./_act.ts";
import { loadIncident } from "./_incident.ts";
import { handler, page } from "./$[incidentId].ts";

export const handlers = handler({
  async GET({ state, params, req }) {
    const form = new URLSearchParams({ name: readPersonName(req.headers) });
    const data = await loadIncident(state, params.incidentId, form);
    return { data: { ...data, next: nextOf(form, params.incidentId), error: null } };
  },

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { incidentId } = ctx.params;
    const error = await act(ctx.state, incidentId, form, ctx.req.headers);
    if (error === null) {
      const response = ctx.redirect(safeRedirectPath(nextOf(form, incidentId)), 303);
      return rememberName(response, form, ctx.state.origin);
    }
    const data = await loadIncident(ctx.state, incidentId, form);
    const status = error === "state" || error === "watch" ? 409 : 400;
    return { data: { ...data, next: nextOf(form, incidentId), error }, status };
  },
});

/** The page to show after an action, also once an error is corrected. */
function nextOf(form: URLSearchParams, incidentId: string): string {
  return form.get("next") || incidentHref(incidentId);
}

const ERRORS: Readonly<Record<ActIssue, string>> = {
  name: `${NAME_MISSING}.`,
  note: "Enter a note to add.",
  until: "Enter a future time, such as 2030-01-31T06:00, or leave it empty and choose a duration.",
  state: "That is no longer possible: somebody else has changed the incident.",
  watch: "Docket no longer watches this schedule, so it would not notice changes. Watch it again.",
};

export default page(({ data, state }) => {
  const { row, view, now, code, schedule, owner, silences } = data;
  const { scheduleId } = view;
  const error = data.error === null ? undefined : ERRORS[data.error];
  const about = schedule || `Schedule ${scheduleId}`;
  const headline = headlineOfCode(code);
  const when = (at: number) => <When at={at} now={now} />;
  return (
    <>
      <PageHeader
        title={`${about}: ${row.summary[0].toLowerCase()}${row.summary.slice(1)}`}
        path={[
          ["/incidents", "Incidents"],
          ...(scheduleId === null
            ? []
            : [[scheduleHref(scheduleId), `${scheduleId} ${schedule}`] as const]),
        ]}
      />
      {error && <p class="notice bad" role="alert">{error}</p>}
      <form id={ROW_FORM} method="post" action={incidentHref(view.id)}>
        <FormKey />
        <input type="hidden" name="next" value={data.next} />
        <IncidentActions view={view} />
        <section
          class={`verdict ${headline ? toneOf(headline) : "bad"}`}
          aria-label="What is wrong"
          data-announced
        >
          {headline ? <StateBadge headline={headline} /> : <SeverityMark severity={row.severity} />}
          <div>
            <p class="sentence">{data.meaning || `${row.summary}.`}</p>
            {data.nextStep && (
              <p>
                {data.code === "unknown-status"
                  ? <a href={SERVICE_PATH}>{data.nextStep}</a>
                  : data.nextStep}
              </p>
            )}
            <p>
              {row.severity}, {stateWords(row)}
              {row.resolved !== null && <>{" "}{when(row.resolved)}</>}
              {silences.map((silence) => (
                <span key={silence.href}>
                  ; <SilenceNote silence={silence} of={about} now={now} />
                </span>
              ))}
            </p>
            <p class="help">
              {row.since !== null && <>Began {when(row.since)}, noticed {when(row.opened)}.{" "}</>}
              {row.since === null && <>Noticed {when(row.opened)}.{" "}</>}
              {data.lastSuccess !== null && <>Last sent {when(data.lastSuccess)}.{" "}</>}
              {data.nextDue !== null && <>Next planned run {when(data.nextDue)}.{" "}</>}
              {owner && `Owner: ${owner}. `}Times in <ZoneName />.
            </p>
          </div>
          {data.compare && (
            <a href={data.compare}>
              Compare with the {data.meantFor.wasSent ? "run before" : "last success"}
            </a>
          )}
        </section>
        {data.planned.length > 0 && (
          <section aria-labelledby="planned">
            <h2 id="planned">Last planned runs</h2>
            <Strip planned={data.planned} />
            <StripLegend />
          </section>
        )}
        <div class="beside">
          <section aria-labelledby="happened">
            <h2 id="happened">What happened</h2>
            <Timeline timeline={data.timeline} now={now} />
            {scheduleId !== null && (
              <p>
                <a href={scheduleHref(scheduleId)}>All runs of schedule {scheduleId}</a>
              </p>
            )}
          </section>
          <div id="side">
            <IncidentNotified outlets={data.outlets} isMuted={data.wasMuted} now={now} />
            <NoteField view={view} />
            <MeantFor {...data.meantFor} href={recipientsHref(scheduleId ?? "")} />
          </div>
        </div>
      </form>
      {/* A refresh would replace what was typed. */}
      {!error && <AutoRefresh parts={[ROW_FORM]} zone={state.preferences.zone} />}
    </>
  );
});

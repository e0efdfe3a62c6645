import { PageHeader } from "../../../components/page/page_header.tsx";
import { Recipients } from "../../../components/runs/recipients/recipient_list.tsx";
import { recipientsHref, scheduleHref } from "../../../components/runs/run_links.tsx";
import { ComparedRuns } from "../../../components/runs/verdict/compared_runs.tsx";
import { Section } from "../../../components/ui/section.tsx";
import { loadIncident } from "../../../server/pages/incident.ts";
import { answerIncidentForm, IncidentActions } from "./_incident_actions.tsx";
import { IncidentNotified, IncidentVerdict, Outsiders, Timeline } from "./_incident.tsx";
import { handler, page } from "./$[incidentId].ts";

export const handlers = handler({
  GET: async ({ state, params }) => ({ data: await loadIncident(state, params.incidentId) }),
  POST: answerIncidentForm,
});

export default page(({ data, state: { refused } }) => {
  const { row, view, recipients, outsiders, compared } = data;
  const { scheduleId } = view;
  const note = refused?.issues.note;
  return (
    <>
      <PageHeader
        title={`${row.name}: ${row.summary}`}
        wrong={note && `Note ${note}.`}
        trail={[
          ["/incidents", "Incidents"],
          ...(scheduleId === null ? [] : [[scheduleHref(scheduleId), row.name] as const]),
        ]}
      />
      {/* A refresh would replace what was typed. */}
      <div id="incident" data-refreshed={refused ? undefined : true}>
        <IncidentVerdict
          data={data}
          evidence={scheduleId !== null && compared && (
            <ComparedRuns
              runs={compared}
              names={[
                recipients.meaning === "good" ? "Run before" : "Success before",
                "Incident's run",
              ]}
              scheduleId={scheduleId}
            />
          )}
        >
          {scheduleId !== null && outsiders.length > 0 && (
            <Outsiders
              {...{ outsiders, scheduleId }}
              hasMore={data.hasMoreOutsiders}
            />
          )}
          <IncidentActions view={view} />
        </IncidentVerdict>
        <div class="beside">
          <Section id="timeline" title="Timeline">
            <Timeline timeline={data.timeline} isCut={data.isCut} />
          </Section>
          <div id="side">
            <Recipients {...recipients} href={recipientsHref(scheduleId ?? "")} />
            <IncidentNotified outlets={data.outlets} isMuted={data.isMuted} />
          </div>
        </div>
      </div>
    </>
  );
});

import { formatCount } from "../../../lib/format.ts";
import { isMutedAt } from "../../../lib/judgement/incident.ts";
import { Ago, Day } from "../../ui/ago.tsx";
import { PersonInput } from "../incidents/incident_actions.tsx";
import { incidentHref, type IncidentRow, SeverityMark } from "../incidents/incident_table.tsx";

type OpenIncident = Omit<IncidentRow, "resolved" | "isMuted">;

/** Id of the form that the fields of all rows belong to. */
const FORM = "take-care";

/** The open incidents, most severe first, each with what can be done about it. */
export function OpenIncidents({ total, incidents, person, now, next }: {
  readonly total: number;
  readonly incidents: readonly OpenIncident[];
  /** The name that somebody gave last in this browser. */
  readonly person: string;
  readonly now: number;
  readonly next: string;
}) {
  return (
    <section class="open-incidents" aria-labelledby="open-incidents">
      <h2 id="open-incidents">Open incidents{total > 0 && ` (${formatCount(total)})`}</h2>
      {total === 0 ? <p class="help">No open incidents.</p> : (
        <>
          <form id={FORM} method="post" action="/incidents">
            <input type="hidden" name="next" value={next} />
            <input type="hidden" name="span" value="1d" />
            {/* What the Enter key would press: an incident is acknowledged by its own button only. */}
            <button type="submit" disabled hidden />
            <label>
              Your name (required), recorded with each action <PersonInput value={person} />
            </label>
          </form>
          <ul class="plain">
            {incidents.map((incident) => (
              <li key={incident.id}>
                <SeverityMark severity={incident.severity} />
                <span>
                  <a href={incidentHref(incident.id)}>{incident.summary}</a>{" "}
                  <small class="help">
                    {incident.since !== null && (
                      <>
                        since <Day at={incident.since} now={now} />,{" "}
                      </>
                    )}
                    opened <Ago at={incident.opened} now={now} />
                    {incident.acknowledgedBy !== null &&
                      `, acknowledged by ${incident.acknowledgedBy}`}
                    {isMutedAt(incident, now) && (
                      <>
                        , muted, ends <Ago at={incident.mutedUntil!} now={now} />
                      </>
                    )}
                  </small>
                </span>
                <span class="row">
                  {incident.acknowledgedBy === null &&
                    actionOf(incident, "acknowledge", "Acknowledge")}
                  {isMutedAt(incident, now)
                    ? actionOf(incident, "unmute", "Unmute")
                    : actionOf(incident, "mute", "Mute for a day")}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {total > incidents.length && (
        <p>
          <a href="/incidents?state=open">All open incidents</a>
        </p>
      )}
    </section>
  );
}

function actionOf({ id, summary }: OpenIncident, action: string, words: string) {
  return (
    <button
      type="submit"
      form={FORM}
      formaction={incidentHref(id)}
      name="action"
      value={action}
      class={action === "acknowledge" ? undefined : "quiet"}
    >
      {words}
      <span class="unseen">: {summary}</span>
    </button>
  );
}

import { Missing, Moment, ZoneName } from "../../ui/moment.tsx";

/** An incident as a row of a list. */
export interface IncidentRow {
  readonly id: string;
  /** What is wrong, in a sentence. */
  readonly summary: string;
  readonly severity: string;
  readonly opened: string;
  readonly resolved: string | null;
  readonly acknowledgedBy: string | null;
  readonly isMuted: boolean;
}

/** Incidents, a row each. */
export function IncidentTable({ incidents }: { readonly incidents: readonly IncidentRow[] }) {
  return (
    <div class="scroll" role="region" aria-label="Incidents" tabIndex={0}>
      <table>
        <caption class="unseen">
          Incidents, times in <ZoneName />
        </caption>
        <thead>
          <tr>
            <th scope="col">Incident</th>
            <th scope="col">Severity</th>
            <th scope="col">State</th>
            <th scope="col">
              Opened <ZoneName />
            </th>
            <th scope="col">
              Resolved <ZoneName />
            </th>
          </tr>
        </thead>
        <tbody>
          {incidents.map((incident) => (
            <tr key={incident.id}>
              <th scope="row">
                <a href={incidentHref(incident.id)}>{incident.summary}</a>
              </th>
              <td>
                <SeverityMark severity={incident.severity} />
              </td>
              <td>{stateWords(incident)}</td>
              <td>
                <Moment at={incident.opened} />
              </td>
              <td>{incident.resolved ? <Moment at={incident.resolved} /> : <Missing />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A severity, told by a mark as well as by its colour. */
export function SeverityMark({ severity }: { readonly severity: string }) {
  const isCritical = severity === "critical";
  return (
    <span class={isCritical ? "status bad" : "status"}>{isCritical ? "⚠ " : "◆ "}{severity}</span>
  );
}

/** The state of an incident in words. */
export function stateWords(
  { resolved, acknowledgedBy, isMuted }: Pick<
    IncidentRow,
    "resolved" | "acknowledgedBy" | "isMuted"
  >,
): string {
  if (resolved) return "resolved";
  const words = [acknowledgedBy ? `acknowledged by ${acknowledgedBy}` : "open"];
  if (isMuted) words.push("muted");
  return words.join(", ");
}

/** The page of an incident. */
export function incidentHref(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`;
}

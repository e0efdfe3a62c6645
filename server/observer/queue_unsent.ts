/** Queues what outlets lack: new channels, owners and settings, and those that were away for a while. */
import { isLastSent } from "../../lib/judgement/incidents/transition.ts";
import { type StoredIncident, updateIncident } from "../store/records/incidents.ts";
import { type IncidentServices, messageSteps, TRIED_FOR_MS } from "./outbox.ts";

/** Incidents per transaction, few enough to take only milliseconds. */
const INCIDENT_BATCH = 50;

/**
 * Queues what was last sent as open for each outlet that would get it now, and the end for those that
 * were sent the start, unless they were sent that. What is muted follows when that ends.
 */
export async function queueUnsent(services: IncidentServices, at: number): Promise<void> {
  const { incidents, commit } = services.records;
  const { items: muted } = await incidents.attention("muted", at, Number.MAX_SAFE_INTEGER);
  const mutedIds = new Set(muted.map(({ id }) => id));
  const open = (await incidents.allOpen())
    .filter(({ id, said }) => said === "open" && !mutedIds.has(id));
  const all = [...open, ...await incidents.overSince(at - TRIED_FOR_MS)];
  for (let from = 0; from < all.length; from += INCIDENT_BATCH) {
    const batch = all.slice(from, from + INCIDENT_BATCH);
    const steps = await messageSteps(
      services,
      batch.map((incident) => ({ incident, type: lastType(incident) })),
      { at, isUnsentOnly: true },
    );
    // Nothing is queued if one of them changed, or another process was faster.
    if (steps.length > 0) await commit([...batch.map(updateIncident), ...steps]);
  }
}

function lastType(incident: StoredIncident) {
  if (incident.said === "open") return "incident.opened";
  return incident.resolved === null || isLastSent(incident, "missed")
    ? "incident.passed"
    : "incident.resolved";
}

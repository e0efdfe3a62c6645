/** Queues open incidents for new channels, owners and outlets. */
import { recordQueued } from "../store/records/known_outlets.ts";
import { type IncidentServices, messageSteps } from "./outbox.ts";

/** After this time, every process has committed messages that it queued with earlier routes. */
const SETTLED_MS = 2000;
/** Incidents per transaction, few enough to take only milliseconds. */
export const INCIDENT_BATCH = 50;

/** After channels or owners changed, queues open incidents for outlets that have not sent them. */
export async function queueUnsent(services: IncidentServices, at: number): Promise<void> {
  const { records: { service, incidents }, records } = services;
  const { routesChanged, routesQueued } = await service.get();
  let changed = { routesChanged, routesQueued };
  // A time in the future was stored before the clock was set back.
  if (routesChanged === 0 || routesChanged <= at && at - routesChanged < SETTLED_MS) return;
  const open = (await incidents.allOpen()).filter(({ said }) => said === "open");
  const sent = await records.messages.outletsByIncident(open.map(({ id }) => id));
  for (let from = 0; from <= open.length; from += INCIDENT_BATCH) {
    const messages = open.slice(from, from + INCIDENT_BATCH)
      .map((incident) => ({ incident, type: "incident.opened" as const }));
    const steps = await messageSteps(services, messages, {
      at,
      isSent: ({ id }, outlet) => sent.get(id)?.has(outlet) ?? false,
    });
    const isLast = from + INCIDENT_BATCH > open.length;
    const next = { routesChanged: isLast ? 0 : routesChanged, routesQueued: from + INCIDENT_BATCH };
    // If another instance was faster, it continues instead.
    if (!await records.commit([recordQueued(changed, next), ...steps])) return;
    changed = next;
  }
}

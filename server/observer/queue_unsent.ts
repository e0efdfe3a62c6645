/** Queues open incidents for outlets that did not have them: of new channels, owners or settings. */
import { updateIncident } from "../store/records/incidents.ts";
import { type IncidentServices, messageSteps } from "./outbox.ts";
import { loadRouting } from "./routing.ts";

/** Incidents per transaction, few enough to take only milliseconds. */
export const INCIDENT_BATCH = 50;

/**
 * Queues what was last sent as open for each outlet that would get it now and was not sent it. What is
 * muted follows when that ends.
 */
export async function queueUnsent(services: IncidentServices, at: number): Promise<void> {
  const { incidents, messages, overview, commit } = services.records;
  const { items: muted } = await incidents.attention("muted", at, Number.MAX_SAFE_INTEGER);
  const mutedIds = new Set(muted.map(({ id }) => id));
  const open = (await incidents.allOpen())
    .filter(({ id, said }) => said === "open" && !mutedIds.has(id));
  const sent = await messages.outletsByIncident(open.map(({ id }) => id));
  const isSent = ({ id }: { readonly id: string }, outlet: string) =>
    sent.get(id)?.has(outlet) ?? false;
  const routing = await loadRouting(services.records, at);
  const facts = await overview.facts(open.map(({ scheduleId }) => scheduleId));
  const unsent = open.filter((incident) =>
    routing(incident, facts.get(incident.scheduleId ?? NaN)?.owner ?? "")
      .some(({ name }) => !isSent(incident, name))
  );
  for (let from = 0; from < unsent.length; from += INCIDENT_BATCH) {
    const batch = unsent.slice(from, from + INCIDENT_BATCH);
    const opened = batch.map((incident) => ({ incident, type: "incident.opened" as const }));
    // Nothing is queued of incidents that changed, or were queued by another process, meanwhile.
    await commit([
      ...batch.map(updateIncident),
      ...await messageSteps(services, opened, { at, isSent }),
    ]);
  }
}

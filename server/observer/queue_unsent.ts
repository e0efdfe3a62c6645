/** Queues open incidents for new channels, owners and outlets. */
import { MINUTE } from "../../lib/time_units.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import { recordQueued } from "../store/records/known_outlets.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { type IncidentServices, messageSteps } from "./outbox.ts";

/** After this time, every process has committed messages that it queued with earlier routes. */
const SETTLED_MS = 2000;
/** How often it is checked whether the muting of something unsent has ended. */
const MUTED_AGAIN_MS = MINUTE;
/** Incidents per transaction, few enough to take only milliseconds. */
export const INCIDENT_BATCH = 50;

/** The incidents that were last sent as open: those that may be sent now, and those that are muted. */
async function sentAsOpen(
  { incidents }: Pick<ObserverRecords, "incidents">,
  at: number,
): Promise<Readonly<Record<"free" | "muted", readonly StoredIncident[]>>> {
  const { items } = await incidents.attention("muted", at, Number.MAX_SAFE_INTEGER);
  const mutedIds = new Set(items.map(({ id }) => id));
  const open = (await incidents.allOpen()).filter(({ said }) => said === "open");
  const { free = [], muted = [] } = Object.groupBy(
    open,
    ({ id }) => mutedIds.has(id) ? "muted" : "free",
  );
  return { free, muted };
}

/**
 * After channels or owners changed, queues open incidents for outlets that have not sent them. Muted
 * ones follow when that ends.
 */
export async function queueUnsent(services: IncidentServices, at: number): Promise<void> {
  const { records: { service }, records } = services;
  const { routesChanged, routesQueued } = await service.get();
  let changed = { routesChanged, routesQueued };
  const waitMs = routesQueued > 0 ? MUTED_AGAIN_MS : SETTLED_MS;
  // A time in the future was stored before the clock was set back.
  if (routesChanged === 0 || routesChanged <= at && at - routesChanged < waitMs) return;
  const { free, muted } = await sentAsOpen(records, at);
  const sent = await records.messages.outletsByIncident([...free, ...muted].map(({ id }) => id));
  const stepsFor = (incidents: readonly StoredIncident[]) =>
    messageSteps(
      services,
      incidents.map((incident) => ({ incident, type: "incident.opened" })),
      { at, isSent: ({ id }, outlet) => sent.get(id)?.has(outlet) ?? false },
    );
  const isMutedUnsent = (await stepsFor(muted)).length > 0;
  for (let from = 0; from <= free.length; from += INCIDENT_BATCH) {
    const steps = await stepsFor(free.slice(from, from + INCIDENT_BATCH));
    const isLast = from + INCIDENT_BATCH > free.length;
    const next = {
      routesChanged: !isLast ? routesChanged : isMutedUnsent ? at : 0,
      routesQueued: from + INCIDENT_BATCH,
    };
    // If another instance was faster, it continues instead.
    if (!await records.commit([recordQueued(changed, next), ...steps])) return;
    changed = next;
  }
}

/** Queues open incidents for outlets that are new, or were away, and for new channels of owners. */
import { MINUTE } from "../../lib/time_units.ts";
import { recordQueued } from "../store/records/known_outlets.ts";
import { type IncidentServices, messageSteps, TRIED_FOR_MS } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";
import { REMOVED_AFTER_MS } from "./routes.ts";

/** After this time, every process has committed messages that it queued with earlier routes. */
const SETTLED_MS = 2000;
/** Incidents per transaction, few enough to take only milliseconds. */
const BATCH = 50;

/** After channels or owners changed, queues open incidents for outlets that have not sent them. */
export async function queueUnsent(services: IncidentServices, at: number): Promise<void> {
  const { records: { service, incidents }, records } = services;
  const { routesChanged, routesQueued } = await service.get();
  let changed = { routesChanged, routesQueued };
  // A time in the future was stored before the clock was set back.
  if (routesChanged === 0 || routesChanged <= at && at - routesChanged < SETTLED_MS) return;
  const open = (await incidents.allOpen()).filter(({ said }) => said === "open");
  const sent = await records.messages.outletsByIncident(open.map(({ id }) => id));
  for (let from = 0; from <= open.length; from += BATCH) {
    const messages = open.slice(from, from + BATCH)
      .map((incident) => ({ incident, type: "incident.opened" as const }));
    const steps = await messageSteps(services, messages, {
      at,
      isSent: ({ id }, outlet) => sent.get(id)?.has(outlet) ?? false,
    });
    const isLast = from + BATCH > open.length;
    const next = { routesChanged: isLast ? 0 : routesChanged, routesQueued: from + BATCH };
    // If another instance was faster, it continues instead.
    if (!await records.commit([recordQueued(changed, next), ...steps])) return;
    changed = next;
  }
}

const EVERY_MS = MINUTE;

export function createOutletRegistry(
  { outlets, takesCritical = false, now, ...services }: IncidentServices & {
    readonly outlets: readonly Outlet[];
    readonly takesCritical?: boolean | undefined;
    readonly now: () => number;
  },
): { refresh(): Promise<void> } {
  const { records } = services;
  let refreshed = -Infinity;

  async function register({ name, collectMs, receiver = "" }: Outlet, at: number): Promise<void> {
    const { isNew, isKnown } = await records.outlets.register(
      { name, receiver, collectMs, takesCritical },
      { at, after: at - REMOVED_AFTER_MS },
    );
    // If another process was faster, it sends the open incidents to the same receiver.
    if (isNew) await queueMissed(name, isKnown, at);
  }

  /** Queues what an outlet missed while no process had it; for a new receiver, all open incidents. */
  async function queueMissed(name: string, isKnown: boolean, at: number): Promise<void> {
    const { incidents } = records;
    const missed = isKnown
      ? await incidents.endUnsentBy(name, at - TRIED_FOR_MS)
      : (await incidents.allOpen()).filter(({ said }) => said === "open");
    const type = isKnown ? "incident.resolved" as const : "incident.opened" as const;
    const isSent = (_: unknown, outlet: string) => outlet !== name;
    for (let from = 0; from < missed.length; from += BATCH) {
      const messages = missed.slice(from, from + BATCH).map((incident) => ({ incident, type }));
      await records.commit(await messageSteps(services, messages, { at, isSent }));
    }
  }

  return {
    async refresh() {
      const at = now();
      if (Math.abs(at - refreshed) < EVERY_MS) return;
      for (const outlet of outlets) await register(outlet, at);
      await records.service.store({ outletsChecked: at });
      refreshed = at;
    },
  };
}

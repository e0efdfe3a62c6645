/** Says which outlets this process has, and queues what each missed while no process had it. */
import { MINUTE } from "../../lib/time_units.ts";
import { type IncidentServices, messageSteps, TRIED_FOR_MS } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";
import { INCIDENT_BATCH, sentAsOpen } from "./queue_unsent.ts";
import { REMOVED_AFTER_MS } from "./routes.ts";

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

  /** Queues what an outlet missed while no process had it; for a new receiver, what is open and not muted. */
  async function queueMissed(name: string, isKnown: boolean, at: number): Promise<void> {
    const missed = isKnown
      ? await records.incidents.endUnsentBy(name, at - TRIED_FOR_MS)
      : (await sentAsOpen(records, at)).free;
    const type = isKnown ? "incident.resolved" as const : "incident.opened" as const;
    const isSent = (_: unknown, outlet: string) => outlet !== name;
    for (let from = 0; from < missed.length; from += INCIDENT_BATCH) {
      const messages = missed.slice(from, from + INCIDENT_BATCH).map((incident) => ({
        incident,
        type,
      }));
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

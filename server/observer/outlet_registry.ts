/** Says which outlets this process has, and queues the ends that each missed while no process had it. */
import { isLastSent } from "../../lib/judgement/incidents/transition.ts";
import { MINUTE } from "../../lib/time_units.ts";
import { type IncidentServices, messageSteps, TRIED_FOR_MS } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";
import { INCIDENT_BATCH } from "./queue_unsent.ts";
import { REMOVED_AFTER_MS } from "./routing.ts";

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

  async function register({ name, receiver = "" }: Outlet, at: number): Promise<void> {
    const isBack = await records.outlets.register(
      { name, receiver, takesCritical },
      { at, after: at - REMOVED_AFTER_MS },
    );
    if (isBack) await queueMissedEnds(name, at);
  }

  async function queueMissedEnds(name: string, at: number): Promise<void> {
    const over = await records.incidents.overSince(at - TRIED_FOR_MS);
    const isSent = (_: unknown, outlet: string) => outlet !== name;
    for (let from = 0; from < over.length; from += INCIDENT_BATCH) {
      const messages = over.slice(from, from + INCIDENT_BATCH)
        .map((incident) => ({
          incident,
          type: incident.resolved === null || isLastSent(incident, "missed")
            ? "incident.passed"
            : "incident.resolved",
        } as const));
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

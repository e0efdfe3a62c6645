/** The outlets of all processes: whoever changes an incident queues messages for each of them. */
import { routesChanged } from "../store/observer/owners.ts";
import { replaceText } from "../store/observer/values.ts";
import {
  AT_ONCE,
  type IncidentServices,
  messageSteps,
  REGISTERED,
  type Registration,
} from "./message_steps.ts";
import { TRIED_FOR_MS } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";

const EVERY_MS = 60_000;
/** An outlet that no process had for this long is forgotten by a process without it. */
const FORGOTTEN_MS = 10 * 60_000;

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
    const key = REGISTERED + name;
    const before = (await records.values.beginningWith(key))[0];
    const seen = before ? (JSON.parse(before.text) as Registration).receivers : {};
    const lately = Object.entries(seen).filter(([, last]) => last > at - FORGOTTEN_MS);
    const receivers = { ...Object.fromEntries(lately), [receiver]: at };
    const registration: Registration = { collectMs, takesCritical, receivers };
    const text = JSON.stringify(registration);
    const isKnown = Object.hasOwn(seen, receiver);
    const isNew = !isKnown || before.number < at - TRIED_FOR_MS;
    // Another process may be quicker: with the same receiver, it sends what is open.
    const isWon = await records.commit([
      replaceText(key, before ?? null, { number: at, text }),
      ...isNew ? [routesChanged(at)] : [],
    ]);
    if (isNew && isWon) await queueMissed(name, isKnown, at);
  }

  /** Queues messages that an outlet missed while it was unknown; for a new receiver, all open incidents. */
  async function queueMissed(name: string, isKnown: boolean, at: number): Promise<void> {
    const { incidents } = records;
    const missed = isKnown
      ? await incidents.endUnsentBy(name, at - TRIED_FOR_MS)
      : (await incidents.allOpen()).filter(({ notified }) => notified !== null);
    const type = isKnown ? "incident.resolved" as const : "incident.opened" as const;
    const isSent = (_: unknown, outlet: string) => outlet !== name;
    for (let from = 0; from < missed.length; from += AT_ONCE) {
      const messages = missed.slice(from, from + AT_ONCE).map((incident) => ({ incident, type }));
      await records.commit(await messageSteps(services, messages, { at, isSent }));
    }
  }

  return {
    async refresh() {
      const at = now();
      if (Math.abs(at - refreshed) < EVERY_MS) return;
      for (const outlet of outlets) await register(outlet, at);
      for (const { name, number, text } of await records.values.beginningWith(REGISTERED)) {
        const isOwn = outlets.some((outlet) => REGISTERED + outlet.name === name);
        if (isOwn || number === 0 || number > at - FORGOTTEN_MS) continue;
        await records.commit([replaceText(name, { number, text }, { number: 0, text })]);
      }
      refreshed = at;
    },
  };
}

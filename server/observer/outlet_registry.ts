/**
 * The outlets that some process can send by, as the database knows them. So whoever changes an
 * incident queues messages for all of them, and whoever has an outlet sends them.
 */
import type { TransactionStep } from "../store/engine.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { replaceText, type SharedValue } from "../store/observer/values.ts";
import { eventOf } from "./event.ts";
import { deliverySteps, TRIED_FOR_MS } from "./outbox.ts";
import type { Outlet, OutletName } from "./outlets/outlet.ts";

/** An outlet for which messages are queued. */
export type QueuedOutlet = Pick<Outlet, "name" | "collectMs">;

/** What a process stores of an outlet, as JSON. */
interface Registration extends Pick<Outlet, "collectMs"> {
  /** When each receiver was last seen: processes may have different ones under one name. */
  readonly receivers: Readonly<Record<string, number>>;
}

const PREFIX = "outlet/";
/** How often a process says that it has its outlets. */
const EVERY_MS = 60_000;
/** An outlet that no process had for this long is forgotten by a process without it. */
const FORGOTTEN_MS = 10 * 60_000;

/** The outlets that a process had lately. */
export async function registeredOutlets(
  { values }: Pick<ObserverRecords, "values">,
  now: number,
): Promise<readonly QueuedOutlet[]> {
  const rows = await values.beginningWith(PREFIX);
  return rows.filter(({ number }) => number >= now - TRIED_FOR_MS).map(({ name, text }) => {
    const { collectMs }: Registration = JSON.parse(text);
    return { name: name.slice(PREFIX.length) as OutletName, collectMs };
  });
}

/** When each receiver of a stored outlet was last seen; earlier versions stored only one. */
function receiversOf({ number, text }: SharedValue): Registration["receivers"] {
  const stored: Registration | { readonly receiver: string } = JSON.parse(text);
  return "receivers" in stored ? stored.receivers : { [stored.receiver]: number };
}

/** Registers the outlets of one process, again and again. */
export function createOutletRegistry(
  { records, outlets, origin, now }: {
    readonly records: ObserverRecords;
    readonly outlets: readonly Outlet[];
    readonly origin: string;
    readonly now: () => number;
  },
): { refresh(): Promise<void> } {
  let refreshed = -Infinity;

  async function register({ name, collectMs, receiver = "" }: Outlet, at: number): Promise<void> {
    const key = PREFIX + name;
    const before = (await records.values.beginningWith(key))[0];
    const seen = before ? receiversOf(before) : {};
    const lately = Object.entries(seen).filter(([, last]) => last > at - FORGOTTEN_MS);
    const receivers = { ...Object.fromEntries(lately), [receiver]: at };
    const registration: Registration = { collectMs, receivers };
    const text = JSON.stringify(registration);
    const isKnown = Object.hasOwn(seen, receiver);
    const isNew = !isKnown || before.number < at - TRIED_FOR_MS;
    const unsent = isNew ? await unsentSteps(name, isKnown, at) : [];
    // Undone if another process was quicker: with the same receiver, it sends what is open.
    await records.commit([replaceText(key, before ?? null, { number: at, text }), ...unsent]);
  }

  /** Steps that send by an outlet what it would have been sent, had it been known. */
  async function unsentSteps(
    name: OutletName,
    isKnown: boolean,
    at: number,
  ): Promise<TransactionStep[]> {
    const { incidents, overview } = records;
    const open = (await incidents.allOpen()).filter(({ notified }) => notified !== null);
    const unsent = isKnown ? await incidents.unsentBy(name, at - TRIED_FOR_MS) : open;
    const names = await overview.names(unsent.map(({ scheduleId }) => scheduleId));
    return unsent.flatMap((incident) => {
      const event = eventOf(incident, {
        type: incident.resolved === null ? "incident.opened" : "incident.resolved",
        at,
        scheduleName: names.get(incident.scheduleId ?? NaN) ?? "",
        origin,
      });
      return deliverySteps(event, [{ name, collectMs: 0 }], { incidentId: incident.id, now: at });
    });
  }

  return {
    async refresh() {
      const at = now();
      if (Math.abs(at - refreshed) < EVERY_MS) return;
      for (const outlet of outlets) await register(outlet, at);
      for (const { name, number, text } of await records.values.beginningWith(PREFIX)) {
        const isOwn = outlets.some((outlet) => PREFIX + outlet.name === name);
        if (isOwn || number === 0 || number > at - FORGOTTEN_MS) continue;
        await records.commit([replaceText(name, { number, text }, { number: 0, text })]);
      }
      refreshed = at;
    },
  };
}

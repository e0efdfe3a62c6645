/** Queues messages for owners' channels or the default outlets. A process with that outlet sends them. */
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import { planSlots } from "../../lib/judgement/plans/plan.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { MessageFacts } from "../store/records/overview.ts";
import { recordQueued, type RegisteredOutlet } from "../store/records/known_outlets.ts";
import type { Channel, Owner, QuietHours } from "../store/records/owners.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import { nameKey } from "../store/text.ts";
import { eventOf, type EventType } from "./event.ts";
import { deliverySteps, type Route, TRIED_FOR_MS } from "./outbox.ts";
import { COLLECT_MS, type Outlet } from "./outlets/outlet.ts";

export interface IncidentServices {
  readonly records: ObserverRecords;
  readonly origin: string;
}

/** The code of the incident about failing channels. */
export const CHANNEL_FAILING = "channel-failing";

/** The channels that an incident says fail, by id. */
export function failingChannels({ reason }: Pick<StoredIncident, "reason">): readonly string[] {
  return reason.code === CHANNEL_FAILING ? reason.channels : [];
}

/** An outlet that no process had for this long, while others stored theirs, is removed. */
const REMOVED_AFTER_MS = 10 * MINUTE;

/** The default outlets: those in the settings of any process that ran lately. */
export async function registeredOutlets(
  { outlets, service }: Pick<ObserverRecords, "outlets" | "service">,
): Promise<readonly RegisteredOutlet[]> {
  const { outletsChecked } = await service.get();
  return await outlets.seenAfter((outletsChecked ?? 0) - REMOVED_AFTER_MS);
}

export async function messageSteps(
  { records, origin }: IncidentServices,
  messages: readonly { readonly incident: StoredIncident; readonly type: EventType }[],
  { at, facts, isSent = () => false }: {
    readonly at: number;
    readonly facts?: MessageFacts;
    /** Whether an outlet need not send an incident. */
    readonly isSent?: (incident: StoredIncident, outlet: string) => boolean;
  },
): Promise<TransactionStep[]> {
  if (messages.length === 0) return [];
  const routing = await loadRouting(records, at);
  const known = facts
    ? null
    : await records.overview.facts(messages.map(({ incident }) => incident.scheduleId));
  const sent = await records.messages.outletsByIncident(
    messages.map(({ incident }) => incident.id),
  );
  const steps: TransactionStep[] = [];
  for (const { incident, type } of messages) {
    const about = facts ?? known?.get(incident.scheduleId ?? NaN);
    // Receivers of an incident's start also get its end, even if its owner has changed.
    const sentBy = type === "incident.opened" || type === "incident.grew"
      ? undefined
      : sent.get(incident.id);
    const routes = routing(incident, about?.note ?? "", sentBy)
      .filter(({ name }) => !isSent(incident, name));
    if (routes.length === 0) continue;
    const event = eventOf(incident, { type, at, facts: about, origin });
    steps.push(...deliverySteps(event, routes, { incidentId: incident.id, now: at }));
  }
  return steps;
}

type Routing = (
  incident: StoredIncident,
  owner: string,
  sentBy?: ReadonlySet<string>,
) => readonly Route[];

async function loadRouting(records: ObserverRecords, at: number): Promise<Routing> {
  const [defaults, owners] = await Promise.all([
    registeredOutlets(records),
    records.owners.list(),
  ]);
  const byKey = new Map(owners.map((owner) => [owner.key, owner]));
  const routesOf = ({ quiet, channels }: Owner, { severity }: StoredIncident): Route[] => {
    const isHeld = quiet !== null && (severity !== "critical" || quiet.holdsCritical);
    const heldUntil = isHeld ? endOfQuiet(quiet, at) : null;
    return channels.map(({ id, kind }) => ({ name: id, collectMs: COLLECT_MS[kind], heldUntil }));
  };
  return (incident, ownerName, sentBy) => {
    if (incident.code === CHANNEL_FAILING) {
      return workingRoutes(incident, owners, defaults, routesOf);
    }
    const owner = byKey.get(nameKey(ownerName));
    const ofOwner = owner ? routesOf(owner, incident) : [];
    const usedDefaults = ofOwner.length === 0
      ? defaults
      : incident.severity === "critical"
      ? defaults.filter(({ takesCritical }) => takesCritical)
      : [];
    const routes = [...ofOwner, ...usedDefaults];
    if (!sentBy) return routes;
    const all = [...defaults, ...owners.flatMap((each) => routesOf(each, incident))];
    return all.filter(({ name }) =>
      sentBy.has(name) || routes.some((route) => route.name === name)
    );
  };
}

/** Longer than a day with a change of clocks. */
const OVER_A_DAY_MS = 26 * HOUR;

/** When the quiet hours around a time end; null if it is outside them. */
export function endOfQuiet(quiet: QuietHours, at: number): number | null {
  const next = (clock: string) => nextTime(clock, quiet.zone, at);
  const [start, end] = [next(quiet.from), next(quiet.to)];
  return end < start ? end : null;
}

function nextTime(clock: string, zone: string, at: number): number {
  const [hour, minute] = clock.split(":").map(Number);
  const plan = { cron: [`${minute} ${hour} * * *`], zone, graceMs: 0, since: 0 };
  return planSlots(plan, at + 1, at + OVER_A_DAY_MS)[0];
}

/**
 * The routes for an incident about failing channels: the default outlets and other channels of the
 * same owners; if none of them works, the channels of all owners.
 */
function workingRoutes(
  incident: StoredIncident,
  owners: readonly Owner[],
  defaults: readonly Route[],
  routesOf: (owner: Owner, incident: StoredIncident) => Route[],
): readonly Route[] {
  const failing = failingChannels(incident);
  const fails = ({ id }: Channel) => failing.includes(id);
  const works = ({ name }: Route) => !failing.includes(name);
  const concerned = owners.filter(({ channels }) => channels.some(fails));
  const routes = [...defaults, ...concerned.flatMap((each) => routesOf(each, incident))]
    .filter(works);
  if (routes.length > 0) return routes;
  return owners.flatMap((each) => routesOf(each, incident)).filter(works);
}

/** After this time, every process has committed messages that it queued with earlier routes. */
const SETTLED_MS = 2000;
/** Incidents per transaction, few enough to take only milliseconds. */
export const BATCH = 50;

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

/** Which outlets a process has, which of them or of an owner's channels send an incident, and their labels. */
import { planSlots } from "../../lib/judgement/plans/plan.ts";
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { RegisteredOutlet } from "../store/records/messages.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { Channel, Owner, QuietHours } from "../store/records/owners.ts";
import { nameKey } from "../store/text.ts";
import type { Outlet } from "./outlets/outlet.ts";

/** An outlet for a message. */
export interface Route extends Pick<Outlet, "name"> {
  /** When the owner was last changed whose channel it is. */
  readonly ownerChanged?: number;
  /** Until when the owner's quiet hours hold a message. */
  readonly heldUntil?: number | null;
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

/** The label of a channel that was removed; of any other outlet its name. */
export function removedLabel(outlet: string): string {
  return outlet.replace(/-[0-9a-f]{12}$/, " (removed)");
}

/** Labels of outlets by their names in messages. A channel's label is its kind and owner. */
export async function outletLabels(
  { owners }: Pick<ObserverRecords, "owners">,
): Promise<(outlet: string) => string> {
  const labels = new Map(
    (await owners.list()).flatMap(({ name, channels }) =>
      channels.map(({ id, kind }) => [id, `${kind} of ${name}`] as const)
    ),
  );
  return (outlet) => labels.get(outlet) ?? removedLabel(outlet);
}

type Routing = (
  incident: StoredIncident,
  owner: string,
  sentBy?: ReadonlySet<string>,
) => readonly Route[];

export async function loadRouting(records: ObserverRecords, at: number): Promise<Routing> {
  const [defaults, owners] = await Promise.all([
    registeredOutlets(records),
    records.owners.list(),
  ]);
  const byKey = new Map(owners.map((owner) => [owner.key, owner]));
  const ownerRoutes = (
    { quiet, channels, changed }: Owner,
    { severity }: StoredIncident,
  ): Route[] => {
    const isHeld = quiet !== null && (severity !== "critical" || quiet.holdsCritical);
    const heldUntil = isHeld ? endOfQuiet(quiet, at) : null;
    return channels.map(({ id }) => ({ name: id, ownerChanged: changed, heldUntil }));
  };
  return (incident, ownerName, sentBy) => {
    if (sentBy) {
      const all = [...defaults, ...owners.flatMap((each) => ownerRoutes(each, incident))];
      return all.filter(({ name }) => sentBy.has(name));
    }
    if (incident.code === CHANNEL_FAILING) {
      return workingRoutes(incident, owners, defaults, ownerRoutes);
    }
    const owner = byKey.get(nameKey(ownerName));
    const ofOwner = owner ? ownerRoutes(owner, incident) : [];
    const usedDefaults = ofOwner.length === 0
      ? defaults
      : incident.severity === "critical"
      ? defaults.filter(({ takesCritical }) => takesCritical)
      : [];
    return [...ofOwner, ...usedDefaults];
  };
}

/** Longer than a day with a change of clocks. */
const OVER_A_DAY_MS = 26 * HOUR;

/** When the quiet hours around a time end; null if it is outside them. */
function endOfQuiet(quiet: QuietHours, at: number): number | null {
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
  ownerRoutes: (owner: Owner, incident: StoredIncident) => Route[],
): readonly Route[] {
  const failing = failingChannels(incident);
  const fails = ({ id }: Channel) => failing.includes(id);
  const works = ({ name }: Route) => !failing.includes(name);
  const concerned = owners.filter(({ channels }) => channels.some(fails));
  const routes = [...defaults, ...concerned.flatMap((each) => ownerRoutes(each, incident))]
    .filter(works);
  if (routes.length > 0) return routes;
  return owners.flatMap((each) => ownerRoutes(each, incident)).filter(works);
}

/** Stores which outlets this process has: any process queues messages for them. */
export async function registerOutlets(
  { records, outlets, takesCritical = false }: {
    readonly records: Pick<ObserverRecords, "outlets" | "service">;
    readonly outlets: readonly Outlet[];
    readonly takesCritical?: boolean | undefined;
  },
  now: number,
): Promise<void> {
  for (const { name, receiver = "" } of outlets) {
    await records.outlets.register({ name, receiver, takesCritical, seen: now });
  }
  await records.service.store({ outletsChecked: now });
}

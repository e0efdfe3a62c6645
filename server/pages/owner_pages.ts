/** The pages of owners: their channels, schedules and quiet hours, and calendars. */
import { percentDecoded } from "../../lib/format.ts";
import { actorText } from "../../lib/actor.ts";
import { ProblemError } from "../http/problem.ts";
import { idRanges } from "../schedules/coverage.ts";
import type { Owner } from "../store/records/owners.ts";
import { nameKey } from "../store/text.ts";
import { type PageServices, type PageState, requireRecords } from "./page_request.ts";
import { scheduleRows } from "./schedules.ts";
import { outletLabels } from "../observer/routing.ts";
import { createOutlets } from "../observer/outlets/outlets.ts";

const MAX_SCHEDULES = 50;

export async function loadOwners({ services, preferences: { zone } }: PageState) {
  const records = requireRecords(services);
  const [owners, schedules, channels, calendars] = await Promise.all([
    records.owners.list(),
    records.owners.schedules(),
    loadChannels(services),
    records.calendars.list(),
  ]);
  const byKey = new Map(owners.map((owner) => [owner.key, owner]));
  // Schedules may name an owner without channels.
  const rows = [...new Set([...byKey.keys(), ...schedules.keys()])].map((key) => {
    const owner = byKey.get(key);
    const { name = "", ids = [], open = 0 } = schedules.get(key) ?? {};
    return {
      name: owner?.name ?? name,
      channels: channels.of(owner),
      schedules: ids.length,
      open,
      quiet: owner?.quiet ? `${owner.quiet.from}–${owner.quiet.to} ${owner.quiet.zone}` : "",
    };
  });
  return {
    rows,
    defaults: channels.defaults,
    calendars: calendars.map(({ name, days, scheduleIds, actor }) => ({
      name,
      days: days.length,
      from: days[0],
      to: days.at(-1),
      schedules: scheduleIds ? idRanges(scheduleIds) : "all",
      by: actorText(actor),
    })),
    fields: toFields(zone),
  };
}

/** An owner by the name in the path; schedules may name one that nobody has set up. */
export async function loadOwner({ services, preferences: { zone } }: PageState, param: string) {
  const records = requireRecords(services);
  const key = nameKey(percentDecoded(param)?.trim() ?? "");
  const [owner, named, channels] = await Promise.all([
    records.owners.get(key),
    records.owners.schedules(),
    loadChannels(services),
  ]);
  const { ids = [], open = 0, name = "" } = named.get(key) ?? {};
  if (!owner && ids.length === 0) throw new ProblemError(404, "There is no such owner");
  const now = Date.now();
  const page = { ids, among: "known", limit: MAX_SCHEDULES, offset: 0 } as const;
  const { items } = await records.overview.list(page);
  return {
    name: owner?.name ?? name,
    isSet: owner !== undefined,
    changed: owner ? { at: owner.changed, by: actorText(owner.actor) } : null,
    channels: channels.of(owner),
    /** Where messages go without a channel of its own. */
    fallback: channels.defaults.length > 0
      ? "the default channels"
      : "nobody, as there are no default channels",
    /** What is set of each channel, by its kind. */
    shown: Object.fromEntries((owner?.channels ?? []).map(({ kind, hint }) => [kind, hint])),
    fields: toFields(zone, owner),
    schedules: {
      rows: await scheduleRows(records, items, { now, zone, outage: null }),
      total: ids.length,
    },
    open,
  };
}

/** What the form shows of an owner, by the names of its fields. */
function toFields(
  zone: string,
  { quiet }: Partial<Owner> = {},
): Readonly<Record<string, string | undefined>> {
  if (!quiet) return { zone };
  return { ...quiet, holdsCritical: quiet.holdsCritical ? "on" : "" };
}

const NONE = { sent: null, waiting: 0, failingSince: null, waitingSince: null, givenUp: null };

/** The health of outlets and of owners' channels. */
export async function loadChannels(services: PageServices) {
  const { messages, owners } = requireRecords(services);
  const [health, list, label] = await Promise.all([
    messages.health(),
    owners.list(),
    outletLabels({ owners }),
  ]);
  const toRow = (outlet: string) => ({
    ...NONE,
    ...health.find((one) => one.outlet === outlet),
    outlet,
    label: label(outlet),
  });
  return {
    toRow,
    label,
    defaults: createOutlets(services.settings.observer).map(({ name }) => toRow(name)),
    owned: list.flatMap(({ channels }) => channels.map(({ id }) => toRow(id))),
    /** The channels of one owner, by their kinds. */
    of: (owner?: Owner) =>
      owner?.channels.map(({ id, kind, hint }) => ({ ...toRow(id), label: kind, shown: hint })) ??
        [],
  };
}

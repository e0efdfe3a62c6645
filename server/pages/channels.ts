/** The health of outlets and of owners' channels. */
import { outletLabels } from "../observer/routing.ts";
import { createOutlets } from "../observer/outlets/outlets.ts";
import type { Owner } from "../store/records/owners.ts";
import { type PageServices, requireRecords } from "./page_request.ts";

const NONE = { sent: null, waiting: 0, failingSince: null, waitingSince: null, givenUp: null };

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

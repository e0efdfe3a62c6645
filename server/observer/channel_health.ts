/** Notices outlets and channels that can't send. */
import type { Reason } from "../../lib/judgement/reason.ts";
import type { OutletHealth } from "../store/records/messages.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import {
  CHANNEL_FAILING,
  failingChannels,
  type IncidentServices,
  registeredOutlets,
} from "./message_steps.ts";
import { reasonSteps } from "./polling/incident_steps.ts";

/** An outlet is reported if it sends nothing for this long although something is waiting. */
const FAILING_MS = 15 * 60_000;

function isFailing({ waitingSince, sent }: OutletHealth, at: number): boolean {
  const before = at - FAILING_MS;
  return waitingSince !== null && waitingSince <= before && (sent ?? 0) <= before;
}

/** Labels of outlets by their names in deliveries. A channel's label is its kind and owner. */
export async function outletLabels(
  { owners }: Pick<ObserverRecords, "owners">,
): Promise<(outlet: string) => string> {
  const labels = new Map(
    (await owners.list()).flatMap(({ name, channels }) =>
      channels.map(({ id, kind }) => [id, `${kind} of ${name}`] as const)
    ),
  );
  return (outlet) => labels.get(outlet) ?? outlet.replace(/-[0-9a-f]{12}$/, " (removed)");
}

export async function checkChannels(services: IncidentServices, at: number): Promise<void> {
  const { records } = services;
  const { messages, duties, incidents, commit } = records;
  const between = { at, maxGapMs: FAILING_MS };
  const checkedSince = await duties.heldSince("channels checked", true, between);
  const open = (await incidents.open(null)).find(({ code }) => code === CHANNEL_FAILING);
  const isAnyLate = await messages.isWaitingSince(at - FAILING_MS);
  // Deliveries that waited while no observer was running are not a failure.
  if (isAnyLate && at - checkedSince! < FAILING_MS) return;
  if (!open && !isAnyLate) return;
  const reported = open ? failingChannels(open) : [];
  const existing = [
    ...(await registeredOutlets(records)).map(({ name }) => name),
    ...(await records.owners.list()).flatMap(({ channels }) => channels.map(({ id }) => id)),
  ];
  // A channel does not work again only because all its deliveries were given up.
  const gaveUp = ({ outlet, sent, givenUp }: OutletHealth) =>
    reported.includes(outlet) && existing.includes(outlet) && (givenUp ?? 0) > (sent ?? 0);
  const failing = (await messages.health()).filter((each) => isFailing(each, at) || gaveUp(each));
  const names = failing.map(({ outlet }) => outlet).sort();
  const label = await outletLabels(records);
  const reason: Reason = {
    code: CHANNEL_FAILING,
    severity: "critical",
    subject: "",
    since: Math.min(...failing.map(({ waitingSince }) => waitingSince ?? at)),
    runs: [],
    channels: names,
    names: names.map(label),
  };
  const reasons = names.length > 0 ? [reason] : [];
  await commit(await reasonSteps(null, reasons, [CHANNEL_FAILING], services, at));
}

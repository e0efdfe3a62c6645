/** Duties that one instance does for all: heartbeat, repeated alerts, counting and clean-up. */
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import { updateInside } from "../schedules/recipient_facts.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import { resolveUnwatched } from "./end_watch.ts";
import { toEvent } from "./event.ts";
import { LONGEST_WAIT_MS, outletsSent, queueUnsent, TRIED_FOR_MS } from "./outbox.ts";
import type { PollServices } from "./poll_services.ts";
import { BEHIND_MS, checkService } from "./service_incidents.ts";
import { type Outlet, OutletError, sendHeartbeat } from "./outlets/outlet.ts";

export interface DutyServices extends PollServices {
  readonly outlets: readonly Outlet[];
  readonly heartbeatUrl: string | null;
  readonly onEvent: (level: "info" | "warn", message: string, reason?: string) => void;
}

const RESOLVED_FOR_MS = 15 * MINUTE;
const COUNTED_PER_ROUND = 100;
/** How long sent and given-up messages stay listed. */
const LEDGER_MS = 90 * 24 * HOUR;

export async function doDueDuties(services: DutyServices): Promise<void> {
  const { records, outlets, heartbeatUrl, retainRunsMs, now } = services;
  const at = now();
  const claims = (duty: string, ms: number) => records.duties.claim(duty, at, at + ms);
  if (await claims("clock", MINUTE)) await records.polls.correctFutureTimes(at, LONGEST_WAIT_MS);
  if (heartbeatUrl && await isPolling(services) && await claims("heartbeat", MINUTE)) {
    const send = () => sendHeartbeat(heartbeatUrl);
    await warnIfRefused("The heartbeat was not accepted", services.onEvent, send);
  }
  const repeating = outlets.filter((outlet) => outlet.repeat);
  if (repeating.length > 0 && await claims("alerts", MINUTE)) {
    await repeatAlerts(repeating, services);
  }
  if (await claims("unsent", MINUTE)) await queueUnsent(services, at);
  if (await claims("unwatched", MINUTE)) {
    for (const scheduleId of await records.incidents.unwatched()) {
      // If one fails, the others are still resolved.
      await resolveUnwatched(services, { scheduleId, now: at }).catch((error: Error) =>
        services.onEvent(
          "warn",
          "Incidents of an unwatched schedule could not be resolved",
          error.message,
        )
      );
    }
  }
  if (await claims("service", MINUTE)) await checkService(services, at);
  if (await claims("inside", 10 * MINUTE)) await updateInside(records, services, at);
  for (const scheduleId of await records.receipts.uncounted(COUNTED_PER_ROUND)) {
    await records.receipts.count(scheduleId);
  }
  if (retainRunsMs && await claims("retention", 24 * HOUR)) {
    await records.retention.removeRunsBefore(at - retainRunsMs);
  }
  if (await claims("tidy", HOUR)) {
    await giveUpUntried(services);
    await records.messages.removeBefore(at - LEDGER_MS);
  }
}

/** An observer that can't poll is as bad as one that is not running. */
async function isPolling({ records, now }: DutyServices): Promise<boolean> {
  const due = await records.polls.nextDue();
  return due === null || now() - due <= BEHIND_MS;
}

async function repeatAlerts(
  outlets: readonly Outlet[],
  { records: { incidents, messages, overview }, origin, now, onEvent }: DutyServices,
): Promise<void> {
  const at = now();
  const open = (await incidents.allOpen()).filter(({ said }) => said === "open");
  // Otherwise, an incident that is resolved meanwhile would stay open at the receiver.
  const resolved = await incidents.resolvedSince(at - RESOLVED_FOR_MS);
  const repeated = [...resolved, ...open];
  if (repeated.length === 0) return;
  // Incidents of owners' schedules may not have been sent to every outlet.
  const sent = Map.groupBy(
    await messages.about(repeated.map(({ id }) => id)),
    ({ incidentId }) => incidentId,
  );
  const facts = await overview.facts(repeated.map(({ scheduleId }) => scheduleId));
  for (const outlet of outlets) {
    const isSent = (incident: StoredIncident) =>
      outletsSent(incident, sent.get(incident.id)).has(outlet.name);
    const events = repeated.filter(isSent).map((incident) =>
      toEvent(incident, {
        type: incident.resolved === null ? "incident.opened" : "incident.resolved",
        at,
        facts: facts.get(incident.scheduleId ?? NaN),
        origin,
      })
    );
    if (events.length === 0) continue;
    const message = `Incidents could not be sent again to ${outlet.name}`;
    await warnIfRefused(message, onEvent, () => outlet.repeat!(events, at));
  }
}

/** Gives up messages that no instance could try, because their outlet is no longer configured. */
async function giveUpUntried(
  { records, outlets, now, onEvent }: DutyServices,
): Promise<void> {
  const at = now();
  const error = "The channel is no longer set up";
  const owners = await records.owners.list();
  const channels = owners.flatMap((owner) => owner.channels.map(({ id }) => id));
  const names = [...outlets.map(({ name }) => name), ...channels];
  const untried = { since: at - TRIED_FOR_MS, outlets: names, error, now: at };
  const counts = await records.messages.giveUpUntried(untried);
  const outcome = "given_up";
  await records.counters.add(
    [...counts].map(([outlet, count]) => ({ counted: "messages", outlet, outcome, count })),
  );
  for (const name of counts.keys()) onEvent("warn", `Deliveries by ${name} were given up`, error);
}

async function warnIfRefused(
  message: string,
  onEvent: DutyServices["onEvent"],
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof OutletError)) throw error;
    onEvent("warn", message, error.message);
  }
}

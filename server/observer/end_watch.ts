/** Ends watches: the schedule is no longer polled, so its incidents end too. */
import { ProblemError } from "../http/problem.ts";
import { insertEvent, updateIncident } from "../store/observer/incidents.ts";
import { type WatchAction, watchEvent } from "../store/observer/watch_events.ts";
import { onlyUnwatched, watchName } from "../store/observer/watches.ts";
import { eventOf } from "./event.ts";
import type { IncidentServices } from "./polling/incident_steps.ts";
import { deliverySteps } from "./outbox.ts";
import { forgetLacking } from "./polling/record_failure.ts";
import { registeredOutlets } from "./outlet_registry.ts";

/** How often resolving is retried if somebody else changes an incident. */
const MOST_TRIES = 5;

/**
 * Ends a watch and resolves the schedule's incidents, including those that an earlier end left open.
 * False if the schedule is not watched.
 *
 * @throws {ProblemError} if others change its incidents again and again
 */
export async function endWatch(
  services: IncidentServices,
  { scheduleId, actor, now }: WatchAction,
): Promise<boolean> {
  const { records } = services;
  const watch = await records.watches.get(scheduleId);
  // Ended first, so that a poll in progress can't open another incident.
  const ended = watchEvent("no longer watched", { scheduleId, actor, now });
  const isEnded = await records.watches.remove(scheduleId, [
    ended,
    forgetLacking(scheduleId),
  ]);
  const scheduleName = watch ? watchName(watch) : "";
  await resolveUnwatched(services, { scheduleId, scheduleName, now });
  return isEnded;
}

/**
 * Resolves the incidents of a schedule that nobody watches; for null, those of the service if
 * nothing is watched.
 *
 * @throws {ProblemError} if others change them again and again
 */
export async function resolveUnwatched(
  { records, origin }: IncidentServices,
  { scheduleId, scheduleName = "", now }: {
    readonly scheduleId: number | null;
    readonly scheduleName?: string;
    readonly now: number;
  },
): Promise<void> {
  const which = scheduleId === null ? "The service" : `Schedule ${scheduleId}`;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const open = await records.incidents.open(scheduleId);
    const outlets = await registeredOutlets(records, now);
    const steps = open.flatMap((before) => {
      const incident = { ...before, resolved: now, resolvedBy: null, reasonEnded: null };
      const { id: incidentId } = before;
      const event = eventOf(incident, {
        type: "incident.resolved",
        at: now,
        scheduleName,
        origin,
      });
      return [
        updateIncident(incident),
        insertEvent({
          incidentId,
          at: now,
          kind: "resolved",
          actor: null,
          note: `The ${scheduleId === null ? "service" : "schedule"} is no longer watched`,
        }),
        ...(before.notified === null ? [] : deliverySteps(event, outlets, { incidentId, now })),
      ];
    });
    if (steps.length === 0 || await records.commit([onlyUnwatched(scheduleId), ...steps])) return;
    // Then its incidents are open for a reason.
    const { watches } = records;
    if (scheduleId === null ? await watches.any() : await watches.get(scheduleId)) return;
  }
  throw new ProblemError(
    503,
    `${which} is no longer watched, but its incidents could not be resolved: ` +
      "something else changed them each time. Please remove it again",
    { retryAfterSeconds: 5 },
  );
}

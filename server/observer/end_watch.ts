/** Ending watches: nobody looks at the schedule any more, so its incidents end too. */
import { ProblemError } from "../http/problem.ts";
import { insertEvent, updateIncident } from "../store/observer/incidents.ts";
import { eventOf } from "./event.ts";
import type { IncidentServices } from "./looking/incident_steps.ts";
import { deliverySteps } from "./outbox.ts";

/** How often resolving is retried if somebody else changes an incident. */
const MOST_TRIES = 5;

/**
 * Ends a watch and resolves the schedule's incidents, also those that an earlier end left open.
 * False if the schedule is not watched.
 *
 * @throws {ProblemError} if others change its incidents again and again
 */
export async function endWatch(
  { records, outlets, origin }: IncidentServices,
  scheduleId: number,
  now: number,
): Promise<boolean> {
  const scheduleName = (await records.watches.get(scheduleId))?.name ?? "";
  // Ended first: a look that goes on can't open another incident then.
  const isEnded = await records.watches.remove(scheduleId);
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const open = await records.incidents.open(scheduleId);
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
          person: null,
          note: "The schedule is no longer watched",
        }),
        ...(before.notified === null ? [] : deliverySteps(event, outlets, { incidentId, now })),
      ];
    });
    if (steps.length === 0 || await records.commit(steps)) return isEnded;
  }
  throw new ProblemError(
    503,
    `Schedule ${scheduleId} is no longer watched, but its incidents could not be resolved: ` +
      "something else changed them each time. Please remove it again",
    { retryAfterSeconds: 5 },
  );
}

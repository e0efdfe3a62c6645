/** Ends watches. When a watch ends, its incidents are resolved. */
import { ProblemError } from "../http/problem.ts";
import { onlyUnwatched } from "../store/records/watches.ts";
import { incidentEvent, type WatchAction, watchEvent } from "../store/records/events.ts";
import { updateIncident } from "../store/records/incidents.ts";
import { type IncidentServices, MAX_COMMITS, messageSteps } from "./outbox.ts";

/** Ends a watch and resolves its incidents; false if the schedule is not watched. */
export async function endWatch(
  services: IncidentServices,
  { scheduleId, actor, now }: WatchAction,
): Promise<boolean> {
  const { records } = services;
  // First, so that a poll in progress can't open another incident.
  const ended = watchEvent("no longer watched", { scheduleId, actor, now });
  const isEnded = await records.watches.remove(scheduleId, [ended]);
  await resolveUnwatched(services, { scheduleId, now });
  return isEnded;
}

/** Resolves the incidents of a schedule that is not watched, or for null of the service. */
export async function resolveUnwatched(
  services: IncidentServices,
  { scheduleId, now }: { readonly scheduleId: number | null; readonly now: number },
): Promise<void> {
  const { records } = services;
  const subject = scheduleId === null ? "The service" : `Schedule ${scheduleId}`;
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    const open = await records.incidents.open(scheduleId);
    if (open.length === 0) return;
    const ended = open.map((before) => ({
      ...before,
      resolved: now,
      resolvedBy: null,
      reasonEnded: now,
      notifyAt: null,
      ...(before.said === "open" && { said: "over" as const, notified: now }),
    }));
    const messages = ended.filter((_, at) => open[at].said === "open")
      .map((incident) => ({ incident, type: "incident.resolved" as const }));
    const steps = ended.flatMap((incident) => [
      updateIncident(incident),
      incidentEvent({
        incidentId: incident.id,
        at: now,
        kind: "resolved",
        actor: null,
        note: `The ${scheduleId === null ? "service" : "schedule"} is no longer watched`,
      }),
    ]);
    const queued = await messageSteps(services, messages, { at: now });
    if (await records.commit([onlyUnwatched(scheduleId), ...steps, ...queued])) return;
    // If it is watched again, its incidents stay open.
    const { watches } = records;
    if (scheduleId === null ? await watches.any() : await watches.get(scheduleId)) return;
  }
  throw new ProblemError(
    503,
    `${subject} is no longer watched, but its incidents could not be resolved, because others ` +
      "changed them at once. Please remove it again",
    { retryAfterSeconds: 5 },
  );
}

/** Ends watches. When a watch ends, its incidents are resolved. */
import { transition } from "../../lib/judgement/incidents/transition.ts";
import { ProblemError } from "../http/problem.ts";
import { type WatchAction, watchEvent } from "../store/records/events.ts";
import { onlyUnwatched } from "../store/records/watches.ts";
import { changeSteps, type IncidentServices, record } from "./outbox.ts";

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
  const { incidents, watches } = services.records;
  const subject = scheduleId === null ? "service" : "schedule";
  const isDone = await record(services, async () => {
    const open = await incidents.open(scheduleId);
    // Nothing would send later what a muting holds.
    const changes = transition(open.map((each) => ({ ...each, mutedUntil: null })), [], [], {
      now,
      scheduleId,
    });
    if (changes.length === 0) return [];
    const note = `The ${subject} is no longer watched`;
    return [onlyUnwatched(scheduleId), ...await changeSteps(services, changes, { at: now, note })];
  });
  // If it is watched again, its incidents stay open.
  if (isDone || await (scheduleId === null ? watches.any() : watches.get(scheduleId))) return;
  throw new ProblemError(
    503,
    `The ${subject} is no longer watched, but its incidents could not be resolved, because others ` +
      "changed them at once. Please remove it again",
    { retryAfterSeconds: 5 },
  );
}

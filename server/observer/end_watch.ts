/** Ends watches. When a watch ends, its incidents are resolved. */
import { transition } from "../../lib/judgement/incidents/transition.ts";
import { type WatchAction, watchEvent } from "../store/records/events.ts";
import { onlyUnwatched } from "../store/records/watches.ts";
import { changeSteps, type IncidentServices, record } from "./outbox.ts";

/** Ends a watch and resolves its incidents. */
export async function endWatch(
  services: IncidentServices,
  { scheduleId, actor, now }: WatchAction,
): Promise<void> {
  // First, so that a poll in progress can't open another incident.
  const ended = watchEvent("no longer watched", { scheduleId, actor, now });
  await services.records.watches.remove(scheduleId, [ended]);
  await resolveUnwatched(services, { scheduleId, now });
}

/**
 * Resolves the incidents of a schedule that is not watched, or for null of the service. The observer
 * does so again within a minute, if others changed them at once.
 */
export async function resolveUnwatched(
  services: IncidentServices,
  { scheduleId, now }: { readonly scheduleId: number | null; readonly now: number },
): Promise<void> {
  await record(services, async () => {
    const open = await services.records.incidents.open(scheduleId);
    // Nothing would send later what a muting holds.
    const changes = transition(open.map((each) => ({ ...each, mutedUntil: null })), [], [], {
      now,
      scheduleId,
    });
    if (changes.length === 0) return [];
    // Nobody knows whether they are over.
    const ended = changes.map(({ incident, ...change }) => ({
      ...change,
      incident: { ...incident, ending: { how: "unwatched" } as const },
    }));
    return [onlyUnwatched(scheduleId), ...await changeSteps(services, ended, { at: now })];
  });
}

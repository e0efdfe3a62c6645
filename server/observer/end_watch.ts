/** Ends watches. When a watch ends, its incidents are resolved. */
import { transition } from "../../lib/judgement/incidents/transition.ts";
import type { Acting } from "../store/records/events.ts";
import { onlyUnwatched } from "../store/records/watches.ts";
import { changeSteps, type IncidentServices, record } from "./outbox.ts";

/** Ends watches and resolves their incidents. The schedules stay known. */
export async function stopWatching(
  services: IncidentServices,
  scheduleIds: readonly number[],
  acting: Acting,
): Promise<void> {
  // First, so that a poll in progress can't open another incident.
  await services.records.watches.remove(scheduleIds, acting);
  await resolveEnded(services, scheduleIds, acting.now);
}

/** Resolves the incidents of those of these schedules that are not watched. */
export async function resolveEnded(
  services: IncidentServices,
  scheduleIds: readonly number[],
  now: number,
): Promise<void> {
  const ended: ReadonlySet<number | null> = new Set(scheduleIds);
  for (const scheduleId of await services.records.incidents.unwatched()) {
    if (ended.has(scheduleId)) await resolveUnwatched(services, { scheduleId, now });
  }
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

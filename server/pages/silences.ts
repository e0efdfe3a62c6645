/** Why schedules and incidents are silent: muted, or paused. */
import { actorText } from "../../lib/actor.ts";
import { isMutedAt, type Silence } from "../../lib/judgement/incidents/incident.ts";
import { isInPause, type Pause } from "../../lib/judgement/slots.ts";
import { momentText } from "../observer/words.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { KnownSchedule } from "../store/records/watches.ts";
import type { WatchEvent } from "../store/records/events.ts";

type SilentSchedule = Pick<KnownSchedule, "scheduleId" | "mutedUntil" | "pauses">;

/** How many events to search for the one that began a silence, which is of one of these kinds. */
const MAX_EVENTS = 50;
const BEGINNINGS = ["schedule muted", "no runs expected", "plan confirmed"] as const;

export function isSilentAt({ mutedUntil, pauses }: SilentSchedule, now: number): boolean {
  return isMutedAt({ mutedUntil }, now) || findPause(pauses, now) !== undefined;
}

/** The current pause, or else a future one without an end. */
function findPause(pauses: readonly Pause[], now: number): Pause | undefined {
  return pauses.find((each) => isInPause(now, [each])) ?? pauses.find(({ to }) => to === null);
}

export async function loadSilences(
  records: Pick<ObserverRecords, "events">,
  schedules: readonly SilentSchedule[],
  now: number,
): Promise<ReadonlyMap<number, readonly Silence[]>> {
  const silent = schedules.filter((each) => isSilentAt(each, now));
  return new Map(
    await Promise.all(silent.map(async ({ scheduleId, mutedUntil, pauses }) => {
      const events = await records.events.latest(scheduleId, MAX_EVENTS, BEGINNINGS);
      const of = { incidentId: null, scheduleId };
      const pause = findPause(pauses, now);
      const silences: Silence[] = [];
      if (isMutedAt({ mutedUntil }, now)) {
        const event = events.find(({ kind }) => kind === "schedule muted");
        silences.push({ kind: "muted", until: mutedUntil, ...of, ...silenceWords(event) });
      }
      if (pause) {
        const { from, to: until } = pause;
        // Other pauses are the plan's days without runs.
        const event = events.find(({ kind, note }) =>
          kind === "no runs expected" && note?.includes(momentText(from))
        ) ?? events.find(({ kind }) =>
          kind === "plan confirmed"
        );
        silences.push({ kind: "paused", from, until, ...of, ...silenceWords(event) });
      }
      return [scheduleId, silences] as const;
    })),
  );
}

/** Who did it and why. Drops the times that Docket writes before a typed note. */
function silenceWords(event: WatchEvent | undefined) {
  const note = event?.note ?? "";
  const typed = note.replace(/^(until|from) \d[^\s;]+( on)?(; )?/, "");
  return {
    person: event ? actorText(event.actor) : "",
    note: event?.kind === "plan confirmed" ? "" : typed,
  };
}

export async function loadIncidentSilence(
  { events }: Pick<ObserverRecords, "events">,
  incident: StoredIncident,
  now: number,
): Promise<readonly Silence[]> {
  if (incident.resolved !== null || !isMutedAt(incident, now)) return [];
  const { id, scheduleId, mutedUntil: until } = incident;
  const event = (await events.timeline(id)).findLast(({ kind }) => kind === "muted");
  const words = { person: event?.actor ? actorText(event.actor) : "", note: event?.note ?? "" };
  return [{ kind: "muted", until, incidentId: id, scheduleId, ...words }];
}

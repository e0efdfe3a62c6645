/** Why schedules and incidents are silent: muted, or paused. */
import { actorText } from "../../lib/judgement/actor.ts";
import { isMutedAt } from "../../lib/judgement/incidents/incident.ts";
import { isInPause, type Pause } from "../../lib/judgement/slots.ts";
import { momentText } from "../observer/words.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { StoredWatch } from "../store/records/watches.ts";
import type { WatchEvent } from "../store/records/events.ts";

export interface ShownSilence {
  readonly kind: "muted" | "paused";
  readonly from?: number;
  /** In milliseconds since 1970; null for no end. */
  readonly until: number | null;
  /** Who did it and why; empty if unknown. */
  readonly person: string;
  readonly note: string;
  /** What is silent: an incident, or else a schedule. */
  readonly incidentId: string | null;
  readonly scheduleId: number | null;
}

type SilentSchedule = Pick<StoredWatch, "scheduleId" | "mutedUntil" | "pauses">;

/** How many events to search for the one that began a silence. */
const MAX_EVENTS = 50;

export function isSilentAt({ mutedUntil, pauses }: SilentSchedule, now: number): boolean {
  return isMutedAt({ mutedUntil }, now) || pauseOf(pauses, now) !== undefined;
}

/** The current pause, or else a future one without an end. */
function pauseOf(pauses: readonly Pause[], now: number): Pause | undefined {
  return pauses.find((each) => isInPause(now, [each])) ?? pauses.find(({ to }) => to === null);
}

export async function loadSilences(
  records: Pick<ObserverRecords, "events">,
  schedules: readonly SilentSchedule[],
  now: number,
): Promise<ReadonlyMap<number, readonly ShownSilence[]>> {
  const silent = schedules.filter((each) => isSilentAt(each, now));
  return new Map(
    await Promise.all(silent.map(async (schedule) => {
      const events = await records.events.latest(schedule.scheduleId, MAX_EVENTS);
      return [schedule.scheduleId, silencesIn(schedule, events, now)] as const;
    })),
  );
}

function silencesIn(
  { scheduleId, mutedUntil, pauses }: SilentSchedule,
  events: readonly WatchEvent[],
  now: number,
): readonly ShownSilence[] {
  const of = { incidentId: null, scheduleId };
  const pause = pauseOf(pauses, now);
  const silences: ShownSilence[] = [];
  if (isMutedAt({ mutedUntil }, now)) {
    const event = events.find(({ kind }) => kind === "schedule muted");
    silences.push({ kind: "muted", until: mutedUntil, ...of, ...wordsOf(event) });
  }
  if (pause) {
    // Other pauses are the plan's days without runs.
    const event = events.find(({ kind, note }) =>
      kind === "no runs expected" && note?.includes(momentText(pause.from))
    ) ?? events.find(({ kind }) =>
      kind === "plan confirmed"
    );
    silences.push({ kind: "paused", from: pause.from, until: pause.to, ...of, ...wordsOf(event) });
  }
  return silences;
}

/** Who did it and why. Drops the times that Docket writes before a typed note. */
function wordsOf(event: WatchEvent | undefined) {
  const note = event?.note ?? "";
  const typed = note.replace(/^(until|from) \d\S+( on)?(; )?/, "");
  return {
    person: event ? actorText(event.actor) : "",
    note: event?.kind === "plan confirmed" ? "" : typed,
  };
}

export async function loadIncidentSilence(
  { events }: Pick<ObserverRecords, "events">,
  incident: StoredIncident,
  now: number,
): Promise<readonly ShownSilence[]> {
  if (incident.resolved !== null || !isMutedAt(incident, now)) return [];
  const { id, scheduleId, mutedUntil: until } = incident;
  const event = (await events.timeline(id)).findLast(({ kind }) => kind === "muted");
  const words = { person: event?.actor ? actorText(event.actor) : "", note: event?.note ?? "" };
  return [{ kind: "muted", until, incidentId: id, scheduleId, ...words }];
}

import type {
  ObservedSchedule,
  RunOwner,
} from "../../../../components/runs/verdict/observation.tsx";
import { recipientName } from "../../../../components/runs/recipients/recipient_choices.ts";
import { newestFirst, timeOf } from "../../../../lib/runs/times.ts";
import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";
import { type LastPoll, loadLastPoll } from "../../../../server/observer/shown_verdict.ts";
import { whyNotObserved } from "../../../../server/observer/service_observer.ts";
import { incidentRow } from "../../../../server/pages/incident_rows.ts";
import { loadSilences } from "../../../../server/pages/silences.ts";
import type { ConsoleState } from "../../_middleware.ts";
import type { ScheduleRuns } from "../../../../server/pages/schedule_runs.ts";

/** The most incidents on a schedule's page: open ones, and the newest that ended. */
const MAX_INCIDENTS = 100;

export async function loadObserved(
  { services, preferences: { zone } }: Pick<ConsoleState, "services" | "preferences">,
  scheduleId: number,
): Promise<{ readonly observed: ObservedSchedule; readonly last: LastPoll | null } | null> {
  const { records } = services;
  if (!records || whyNotObserved(services) !== null) return null;
  const watch = await records.watches.get(scheduleId);
  if (!watch) return null;
  const now = Date.now();
  const [last, { items }, silences] = await Promise.all([
    loadLastPoll(records, watch),
    records.incidents.list({ scheduleId, limit: MAX_INCIDENTS }),
    loadSilences(records, [watch], now),
  ]);
  const incidents = items.map((incident) => incidentRow(incident, zone));
  const observed = {
    polled: watch.polled,
    isDue: watch.due <= now,
    silences: silences.get(scheduleId) ?? [],
    failure: watch.failures > 0 ? watch.failure : null,
    incidents: incidents.filter(({ resolved }) => resolved === null),
    marked: incidents.toSorted((a, b) => b.opened - a.opened),
  };
  return { observed, last };
}

export async function loadRunOwner(
  records: ObserverRecords | null,
  { scheduleId, loaded, settings: { note, isWatched } }: ScheduleRuns,
  now: number,
): Promise<RunOwner | null> {
  const owned = newestFirst(loaded.runs).flatMap(({ ownerId, startTime }) =>
    typeof ownerId === "number" ? { ownerId, start: timeOf(startTime) } : []
  );
  if (!records || owned.length === 0) return null;
  const nameOf = async (userId: number) => {
    const id = await records.people.find(userId);
    const person = id === undefined ? undefined : await records.people.get(id);
    return recipientName(person ? JSON.parse(person.listed) : { userId }, false);
  };
  const [{ ownerId }] = owned;
  const change = owned.findIndex((run) => run.ownerId !== ownerId);
  const until = owned[change - 1]?.start;
  const name = await nameOf(ownerId);
  const isNamed = !name.includes("@") && name !== `user ${ownerId}`;
  const hasLeft = (await records.leavers.ownedSchedules(now)).has(scheduleId);
  if (until === undefined && !hasLeft && (!isNamed || name === note)) return null;
  return {
    name,
    hasLeft,
    before: until === undefined ? null : { name: await nameOf(owned[change].ownerId), until },
    canBeSet: isNamed && !hasLeft && isWatched && note === "",
  };
}

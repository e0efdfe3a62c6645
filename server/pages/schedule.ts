/** The page of a schedule: the verdict on its runs, and what watching it found. */
import { newestFirst, timeOf } from "../../lib/runs/times.ts";
import { recipientName } from "../../lib/runs/recipient_names.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { loadLastPoll, shownVerdict } from "../observer/shown_verdict.ts";
import { judgeLoaded } from "../schedules/judge_loaded.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { incidentRow } from "./incident_rows.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { judgingOf, loadSchedule, type ScheduleRuns } from "./schedule_runs.ts";
import { loadSilences } from "./silences.ts";

const MAX_INCIDENTS = 100;

export async function loadScheduleOverview(ctx: ScheduleRequest, load: number) {
  const schedule = await loadSchedule(ctx, load);
  const { verdict, ...judged } = await judgeForPage(ctx.state, schedule);
  return {
    ...schedule,
    ...judged,
    verdict,
    headline: verdict.headline,
    plan: verdict.schedule?.plan ?? null,
    planSource: verdict.schedule?.source ?? null,
    nextDue: verdict.schedule?.next ?? null,
    observed: await loadObserved(ctx.state, schedule.scheduleId),
    owner: await loadRunOwner(ctx.state.services.records, schedule, judged.now),
  };
}

/** The verdict that every page of a schedule shows: the observer's, where it judged these runs. */
export async function judgeForPage(
  state: PageState,
  { scheduleId, loaded, settings: { plan, pauses, calendar, decisions, isWatched } }: ScheduleRuns,
) {
  const { services } = state;
  const { records } = services;
  const isObserved = records && isWatched && whyNotObserved(services) === null;
  const last = isObserved ? await loadLastPoll(records, { scheduleId }) : null;
  const now = Date.now();
  // A run that the service may not have listed yet is never shown as overdue.
  const listingDelayMs = last?.verdict.details.waitsMs ?? 0;
  const options = { ...judgingOf(state), now, plan, pauses, calendar, decisions, listingDelayMs };
  const own = await judgeLoaded(loaded, options);
  return { ...last ? shownVerdict(own, last, now) : { verdict: own, basis: null }, now };
}

async function loadObserved(
  { services, preferences: { zone } }: PageState,
  scheduleId: number,
) {
  const { records } = services;
  if (!records || whyNotObserved(services) !== null) return null;
  const watch = await records.watches.get(scheduleId);
  if (!watch) return null;
  const now = Date.now();
  const [{ items }, silences] = await Promise.all([
    records.incidents.list({ scheduleId, state: "open", limit: MAX_INCIDENTS }),
    loadSilences(records, [watch], now),
  ]);
  return {
    created: watch.created,
    polled: watch.polled,
    isDue: watch.due <= now,
    silences: silences.get(scheduleId) ?? [],
    failure: watch.failures > 0 ? watch.failure : null,
    incidents: items.map((incident) => incidentRow(incident, { now, zone })),
  };
}

/** Who owns the newest run in the service, if that says more than the schedule's own owner. */
async function loadRunOwner(
  records: ObserverRecords | null,
  { scheduleId, loaded, settings: { note, isWatched } }: ScheduleRuns,
  now: number,
) {
  const owned = newestFirst(loaded.runs).flatMap(({ ownerId, startTime }) =>
    typeof ownerId === "number" ? { ownerId, start: timeOf(startTime) } : []
  );
  if (!records || owned.length === 0) return null;
  const nameOf = async (userId: number) => {
    const id = await records.people.find(userId);
    const person = id === undefined ? undefined : await records.people.get(id);
    return recipientName(person ? person.listed : { userId }, false);
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

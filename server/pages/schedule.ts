/** The page of a schedule: the verdict on its runs, and what watching it found. */
import { recipientName } from "../../lib/runs/recipient_names.ts";
import { timeOf } from "../../lib/runs/times.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { loadLastPoll, shownVerdict } from "../observer/shown_verdict.ts";
import { judgeLoaded } from "../schedules/judge_loaded.ts";
import { recipientFacts } from "../schedules/recipient_facts.ts";
import { confirmFields } from "../schedules/saved_plan.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { incidentRow } from "./incident_rows.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { loadSchedule, readerOptions, type ScheduleRuns } from "./schedule_runs.ts";
import { loadSilences } from "./silences.ts";

const MAX_INCIDENTS = 100;

export async function loadScheduleOverview(ctx: ScheduleRequest, load: number) {
  const { records } = ctx.state.services;
  const schedule = await loadSchedule(ctx, load);
  const { scheduleId } = schedule;
  const { verdict, ...judged } = await judgeForPage(ctx.state, schedule);
  return {
    ...schedule,
    ...judged,
    verdict,
    headline: verdict.headline,
    plan: verdict.schedule?.plan ?? null,
    planSource: verdict.schedule?.source ?? null,
    confirm: confirmFields(
      verdict.schedule?.plan,
      schedule.settings,
      ctx.state.preferences.zone,
    ),
    observed: await loadObserved(ctx.state, scheduleId),
    owner: await loadRunOwner(records, scheduleId, verdict.health.latest?.ownerId, judged.now),
  };
}

/** The verdict that every page of a schedule shows: the observer's, where it judged these runs. */
export async function judgeForPage(
  state: PageState,
  { scheduleId, loaded, readAt, settings: { plans, pauses, calendar, polled } }: ScheduleRuns,
) {
  const { services } = state;
  const { records } = services;
  const isObserved = records && polled !== null && whyNotObserved(services) === null;
  const last = isObserved ? await loadLastPoll(records, scheduleId) : null;
  const doesHold = last !== null && Date.now() < last.verdict.holdsUntil;
  // After the stored verdict, nobody knows whether what became due since the runs were read has run.
  const now = doesHold ? Date.now() : readAt ?? Date.now();
  // A run that the service may not have listed yet is never shown as overdue.
  const listingDelayMs = last?.verdict.details.waitsMs ?? 0;
  const own = await judgeLoaded(loaded, {
    ...readerOptions(state),
    ...await recipientFacts(records, services.settings, {
      ...{ scheduleId, now },
      starts: loaded.runs.map(({ startTime }) => timeOf(startTime)),
    }),
    ...{ now, plans, pauses, calendar, listingDelayMs },
  });
  return { verdict: last ? shownVerdict(own, last, now) : own, now };
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

/** Who owns the newest run in the service; null if nobody knows. */
async function loadRunOwner(
  records: ObserverRecords | null,
  scheduleId: number,
  userId: number | null | undefined,
  now: number,
) {
  if (!records || typeof userId !== "number") return null;
  const id = await records.people.find(userId);
  const person = id === undefined ? undefined : await records.people.get(id);
  return {
    name: recipientName(person ? person.listed : { userId }, false),
    hasLeft: (await records.leavers.ownedSchedules(now)).has(scheduleId),
  };
}

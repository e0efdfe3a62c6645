/** The pages of a schedule: its runs, the verdict on them, what watching found, and who gets it. */
import { headline } from "../../lib/judgement/headline.ts";
import { loadBefore } from "../../lib/judgement/judge.ts";
import type { Verdict } from "../../lib/judgement/judge_schedule.ts";
import { excusedSpans, expectedSlots } from "../../lib/judgement/slots.ts";
import type { Reason } from "../../lib/judgement/reason.ts";
import { recipientName } from "../../lib/runs/recipients.ts";
import { timeOf } from "../../lib/runs/times.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { knownClockOffset } from "../observer/service_access.ts";
import { shownVerdict } from "../observer/shown_verdict.ts";
import { judgeLoaded, loadStoredRuns } from "../schedules/loaded_runs.ts";
import { recipientFacts } from "../schedules/recipient_facts.ts";
import { confirmFields } from "../schedules/plan_fields.ts";
import type { ReportRun } from "../../lib/types.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { toRun } from "../store/runs/read_runs.ts";
import { incidentRow } from "./incidents.ts";
import { type PageState, requireRecords, type ScheduleRequest } from "./page_request.ts";
import { loadSilences } from "./silences.ts";
import { loadScheduleOutage } from "./schedules.ts";
import { requireScheduleId } from "../http/request_query.ts";
import { LOAD, type LoadedRuns, loadRuns } from "../../lib/runs/load_runs.ts";
import { capitalized } from "../../lib/format.ts";
import { loadPeople } from "./people_page.ts";

const MAX_INCIDENTS = 100;
const MAX_COMING = 3;

export async function loadScheduleOverview(ctx: ScheduleRequest, load?: number) {
  const { records } = ctx.state.services;
  const schedule = await loadSchedule(ctx, load);
  const { scheduleId } = schedule;
  const { verdict, ...judged } = await judgeForPage(ctx.state, schedule);
  const { plan = null, next = null } = verdict.schedule ?? {};
  const { pauses, calendar } = schedule.settings;
  return {
    ...schedule,
    ...judged,
    verdict,
    headline: verdict.headline,
    plan,
    planSource: verdict.schedule?.source ?? null,
    confirm: confirmFields(plan, schedule.settings, ctx.state.preferences.zone),
    coming: next && plan
      ? expectedSlots(plan, next, excusedSpans(plan, pauses, calendar), MAX_COMING)
      : [],
    observed: await loadObserved(ctx.state, scheduleId),
    owner: await loadRunOwner(records, scheduleId, verdict.health.latest?.ownerId, judged.now),
  };
}

/** The verdict that every page of a schedule shows: the observer's, where it judged these runs. */
export async function judgeForPage(
  state: PageState,
  { scheduleId, loaded, readAt, settings }: ScheduleRuns,
) {
  const { plans, pauses, calendar, polled } = settings;
  const { services } = state;
  const { records } = services;
  const isObserved = records && polled !== null && whyNotObserved(services) === null;
  const stored = isObserved ? await records.verdicts.get(scheduleId) : undefined;
  // Verdicts use the service's clock.
  const ahead = stored ? knownClockOffset(await records!.service.get()) ?? 0 : 0;
  const present = Date.now() + ahead;
  const doesHold = stored !== undefined && present < stored.holdsUntil;
  // After the stored verdict, nobody knows whether what became due since the runs were read has run.
  const now = doesHold || readAt === null ? present : readAt + ahead;
  // A run that the service may not have listed yet is never shown as overdue.
  const listingDelayMs = stored?.details.waitsMs ?? 0;
  const facts = await recipientFacts(records, services.settings, {
    ...{ scheduleId, now },
    starts: loaded.runs.map(({ startTime }) => timeOf(startTime)),
  });
  const isBeforeKnown = facts.before !== undefined || readAt !== null;
  const own = await judgeLoaded(loaded, {
    judgeHistory: services.judging.judgeHistory,
    statuses: state.statuses,
    // Not the reader's, so that lists and pages say the same of a schedule that the observer judges.
    zone: isObserved ? services.settings.serviceZone : state.preferences.zone,
    ...facts,
    // The loaded runs are shown also if the service does not answer again.
    ...isBeforeKnown ? {} : await loadBefore(state.backend, scheduleId, loaded).catch(() => ({})),
    ...{ now, plans, pauses, calendar, listingDelayMs },
  });
  // Of the embedded service, runs may be stored that were not judged yet.
  const isOutdated = !stored || now >= stored.holdsUntil ||
    await records!.runs.anyChangedSince(scheduleId, polled! + 1);
  const verdict = isOutdated ? own : shownVerdict(own, stored);
  const unread = records && settings.failure ? await loadUnread(records, settings) : null;
  return { verdict: unread ? addReason(verdict, unread) : verdict, now };
}

/** Why newer runs can't be read, or null; of one that is watched, only its own incident says so. */
async function loadUnread(
  { incidents }: ObserverRecords,
  { scheduleId, watched, failure, failingSince }: ScheduleRuns["settings"],
): Promise<Reason | null> {
  const open = await incidents.open(scheduleId);
  const found = open.find(({ code }) => code === "unreadable")?.reason;
  if (found || watched === 1) return found ?? null;
  const reason = { severity: "warning", subject: "", since: failingSince, runs: [] } as const;
  return { code: "unreadable", ...reason, failure };
}

/** The same state and headline as in lists: what can't be read is unknown, unless it is worse. */
function addReason(verdict: Verdict, reason: Reason): Verdict {
  const reasons = [...verdict.reasons.filter(({ code }) => code !== reason.code), reason];
  const state = verdict.state === "down" ? "down" : "unknown";
  return { ...verdict, reasons, state, headline: headline({ state, reasons }) };
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

/** Of a schedule that neither the observer nor who looks at it can read: its page says why. */
const NOTHING_READ: LoadedRuns = {
  runs: [],
  stopped: "error",
  olderUnread: true,
  newerUnread: true,
};

export type ScheduleRuns = Awaited<ReturnType<typeof loadSchedule>>;

/** The runs that were read last; the service is asked only where none are stored. */
export async function loadSchedule(
  { params, state, req: { signal } }: ScheduleRequest,
  most: number = LOAD.runs,
) {
  const scheduleId = requireScheduleId(params);
  const { services, backend } = state;
  const { store, records, runtime, settings: { serviceZone: zone } } = services;
  // Days without runs, in the plan's zone.
  const calendar = await records?.calendars.daysFor(scheduleId) ?? [];
  const known = (await records?.watches.known([scheduleId]))?.get(scheduleId);
  const settings = { ...DEFAULT_SETTINGS, scheduleId, ...known, calendar };
  const { polled, historyRead } = settings;
  const isPolled = polled !== null && whyNotObserved(services) === null;
  const runs = store?.runs ?? (isPolled ? records!.runs : null);
  const isWhole = store !== null || historyRead === null && services.settings.retainRunsMs === null;
  const loaded = runs
    ? await loadStoredRuns(runs, scheduleId, { max: most, isWhole })
    : await loadRuns(backend, scheduleId, { runs: most, zone, signal, runtime })
      .catch((error) => {
        if (settings.failure === null) throw error;
        return NOTHING_READ;
      });
  if (store && loaded.runs.length === 0) await store.requireSchedule(scheduleId);
  const title = loaded.runs.find((run) => run.reportTitle)?.reportTitle || settings.title;
  const name = settings.name || title || `Schedule ${scheduleId}`;
  // The title is shown beside the name only if the name differs.
  const reportTitle = title === name ? "" : title;
  const isRead = runs !== null && !store;
  const outage = isRead || loaded === NOTHING_READ
    ? await loadScheduleOutage(records!, settings)
    : null;
  return {
    scheduleId,
    name,
    reportTitle,
    loaded,
    readAt: isRead ? polled : null,
    outage,
    settings,
  };
}

/** What a file of runs is made of in an outage; null while the service can be asked. */
export async function loadStoredFile(
  { services }: Pick<PageState, "services">,
  scheduleId: number,
) {
  const { store, records, settings: { retainRunsMs } } = services;
  if (store || !records || whyNotObserved(services) !== null) return null;
  const known = (await records.watches.known([scheduleId])).get(scheduleId);
  if (!known || known.polled === null || !await loadScheduleOutage(records, known)) return null;
  return {
    runs: storedRuns(records, scheduleId, known.polled),
    readAt: known.polled,
    isWhole: known.historyRead === null && retainRunsMs === null,
  };
}

const STORED_PAGE = 500;

async function* storedRuns(
  { runs }: ObserverRecords,
  scheduleId: number,
  polled: number,
): AsyncGenerator<ReportRun> {
  for (let skip = 0;; skip += STORED_PAGE) {
    const page = await runs.newestTexts(scheduleId, STORED_PAGE, { skip });
    yield* page.map((stored) => toRun(stored).run);
    if (page.length < STORED_PAGE) break;
  }
  // The service answered again, perhaps an earlier request, and one may have been passed over.
  if (await runs.anyChangedSince(scheduleId, polled + 1)) throw new Error("Runs changed meanwhile");
}

const DEFAULT_SETTINGS = {
  watched: 0 as const,
  name: "",
  title: "",
  owner: "",
  plans: [],
  pauses: [],
  polled: null,
  historyRead: null,
  failure: null,
  failingSince: null,
};

export async function loadRecipients(
  { state, params, url }: Omit<ScheduleRequest, "req"> & { readonly url: URL },
) {
  const scheduleId = requireScheduleId(params);
  const records = requireRecords(state.services);
  const people = await loadPeople(state, url.searchParams, scheduleId);
  const { items } = await records.overview.list({ ids: [scheduleId], among: "known", limit: 1 });
  const known = items.at(0);
  const watch = (await records.watches.known([scheduleId])).get(scheduleId);
  const outage = watch ? await loadScheduleOutage(records, watch) : null;
  const { name = "", title = "", owner = "" } = watch ?? {};
  return {
    scheduleId,
    name: capitalized(people.schedule!.name),
    reportTitle: known?.reportTitle ?? "",
    headline: known?.details || outage ? known?.headline ?? null : null,
    plan: known?.details?.plan ?? null,
    planSource: known?.planSource ?? null,
    confirm: watch ? confirmFields(known?.details?.plan, watch, state.preferences.zone) : null,
    settings: { name, title, owner },
    outage,
    people: { ...people, isRead: watch !== undefined || state.services.store !== null },
  };
}

/** One look at a schedule: read what is new, judge, and record what changed, in one transaction. */
import {
  type IncidentChange,
  incidentChanges,
  incidentId,
  notableReasons,
} from "../../../lib/runs/judge/incidents.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { Step } from "../../store/engine.ts";
import { insertEvent, insertIncident, updateIncident } from "../../store/observer/incidents.ts";
import type { Records } from "../../store/observer/records.ts";
import { putRuns, removeRuns } from "../../store/observer/runs.ts";
import type {
  Incident,
  KeptReason,
  KeptVerdict,
  LeasedWatch,
  WatchedRun,
} from "../../store/observer/types.ts";
import { putVerdict } from "../../store/observer/verdicts.ts";
import { endOfLook, type LookOutcome } from "../../store/observer/watches.ts";
import { eventOf } from "../event.ts";
import { deliverySteps } from "../outbox.ts";
import type { Outlet } from "../outlets/outlet.ts";
import type { Judge, PlanSlots } from "./judge.ts";
import { entryLag, lagToWaitFor } from "./entry_lag.ts";
import { onlyExpected } from "./expected_slots.ts";
import { MOST_RUNS, type News, readNews, USUAL_RUNS } from "./read_news.ts";
import { nextAfterFailure, rhythmOf } from "./rhythm.ts";
import { failureWords, isAboutSchedule, isTooMany, type ServiceAccess } from "./service_access.ts";

/** What looking needs. */
export interface LookServices {
  readonly records: Records;
  readonly access: ServiceAccess;
  readonly judge: Judge;
  readonly planSlots: PlanSlots;
  readonly outlets: readonly Pick<Outlet, "name" | "collectMs">[];
  readonly now: () => number;
  /** IANA name of the zone of the service's times that name none. */
  readonly zone: string;
  /** How often at most a schedule is looked at. */
  readonly everyMs: number;
  /** Where people reach Docket. */
  readonly origin: string;
}

/** How a look ended; `lost` where another instance took it over meanwhile. */
export type LookEnd = "ok" | "failed" | "lost";

/** How long reading may take; the lease lasts longer. */
const READ_MS = 20_000;
/** How often a look is recorded anew that met somebody else's change of the same incident. */
const MOST_COMMITS = 4;
/** How many looks in a row fail before that is reported: one may be a blip. */
const TOLD_AFTER = 2;
/** How long a service may ask for fewer requests before that is reported. */
const TOLD_AFTER_MS = 5 * 60_000;
/** A clock that is off by more is reported. */
const CLOCK_OFF_MS = 60_000;

/** Looks at a schedule. */
export async function look(watch: LeasedWatch, services: LookServices): Promise<LookEnd> {
  const { records, access, zone, now } = services;
  const { scheduleId } = watch;
  const newest = await records.runs.newest(scheduleId, USUAL_RUNS);
  const count = newest.length < USUAL_RUNS ? newest.length : await records.runs.count(scheduleId);
  let news: News;
  try {
    const signal = AbortSignal.timeout(READ_MS);
    const known = { newest, count };
    news = await readNews(access.backend, scheduleId, known, { now: now(), zone, signal });
    if (news.shrank) throw new HistoryShrank();
  } catch (error) {
    return await recordFailure(watch, error, services);
  }
  return await recordNews(watch, news, services);
}

/** The history has far fewer runs than before. */
class HistoryShrank extends Error {}

async function recordNews(
  watch: LeasedWatch,
  { put, removed }: News,
  services: LookServices,
): Promise<LookEnd> {
  const { records, access, everyMs, planSlots, now } = services;
  const { scheduleId } = watch;
  const at = now();
  const offset = access.clockOffset();
  const before = await records.verdicts.get(scheduleId);
  const serviceNow = at + (offset ?? 0);
  const isJudged = put.length > 0 || removed.length > 0 || !before || watch.failures > 0 ||
    serviceNow >= before.holdsUntil;
  const verdict = isJudged
    ? await judged(watch, { put, removed, before, now: serviceNow }, services)
    : before;
  const [latest] = newestOf([...put, ...await records.runs.newest(scheduleId, 1)]);
  const rhythm = rhythmOf({
    now: serviceNow,
    state: verdict.state,
    plan: verdict.details.plan,
    waitsMs: verdict.details.waitsMs,
    latestStart: latest?.start ?? null,
    isRunning: latest !== undefined && !latest.run.endTime,
  }, { everyMs, planSlots });
  const due = rhythm.next - (offset ?? 0);
  const clock = clockReason(offset);
  const isRecorded = await record(watch, { looked: at }, due, services, async () => [
    ...putRuns(scheduleId, put),
    ...removeRuns(scheduleId, removed),
    ...(isJudged ? [putVerdict({ ...verdict, holdsUntil: rhythm.holdsUntil })] : []),
    ...await incidentSteps(watch, verdict.details.reasons, services, { at, isJudged }),
    ...await serviceSteps(clock ? [clock] : [], services, at),
  ]);
  return isRecorded ? "ok" : "lost";
}

function newestOf(runs: readonly WatchedRun[]): WatchedRun[] {
  return runs.toSorted((a, b) => (b.start ?? -Infinity) - (a.start ?? -Infinity));
}

/** Judges the copies as they will be. */
async function judged(
  watch: LeasedWatch,
  { put, removed, before, now }: {
    readonly put: readonly WatchedRun[];
    readonly removed: readonly number[];
    readonly before: KeptVerdict | undefined;
    readonly now: number;
  },
  { records, judge, everyMs }: LookServices,
): Promise<KeptVerdict> {
  const { scheduleId, plan, statuses, pauses, looked } = watch;
  const copies = new Map<number, WatchedRun>();
  for (const copy of await records.runs.newest(scheduleId, MOST_RUNS)) copies.set(copy.id, copy);
  const fresh = put.filter(({ id }) => !copies.has(id));
  for (const run of put) copies.set(run.id, run);
  for (const id of removed) copies.delete(id);
  const runs = newestOf([...copies.values()]).slice(0, MOST_RUNS).map(({ run }) => run);
  const options = { now, statuses: statuses ?? defaultStatusDictionary(), ...(plan && { plan }) };
  const history = { runs, olderUnread: runs.length >= MOST_RUNS };
  const verdict = judge(history, options);
  const seen = entryLag(fresh, { before: before?.details.entryLag ?? null, looked, now, everyMs });
  const lagMs = lagToWaitFor(seen, verdict.durations.p95, plan !== null);
  const { state, reasons, schedule, health } = onlyExpected(verdict, { now, pauses, lagMs });
  return {
    scheduleId,
    judged: now,
    holdsUntil: now,
    state,
    planSource: schedule?.source ?? null,
    lastSuccess: timeOf(health.lastGood?.startTime) ?? null,
    nextDue: schedule?.next ?? null,
    overdue: schedule?.counts.overdue ?? 0,
    failing: health.streak?.meaning === "bad" ? health.streak.count : 0,
    details: {
      reasons,
      plan: schedule?.plan ?? null,
      missed: schedule?.missed.slice(0, 50) ?? [],
      overdue: schedule?.overdue.slice(0, 50) ?? [],
      runs: runs.length,
      entryLag: seen,
      waitsMs: lagMs,
    },
  };
}

async function recordFailure(
  watch: LeasedWatch,
  error: unknown,
  services: LookServices,
): Promise<LookEnd> {
  const { records, access, everyMs, now } = services;
  const at = now();
  const failure = error instanceof HistoryShrank
    ? "The history has far fewer runs than before"
    : failureWords(error);
  const failures = watch.failures + 1;
  const since = watch.failingSince ?? at;
  const due = nextAfterFailure(at, failures, { everyMs, notBefore: access.pausedUntil() });
  const isTold = isTooMany(error) ? at - since >= TOLD_AFTER_MS : failures >= TOLD_AFTER;
  const isOwn = error instanceof HistoryShrank || isAboutSchedule(error) ||
    await records.watches.othersLooked(watch.scheduleId, since) > 0;
  const reason: KeptReason = {
    code: "blind",
    severity: "critical",
    since,
    runs: [],
    evidence: { failure },
  };
  const isRecorded = await record(watch, { failed: at, failure }, due, services, async () => {
    if (!isTold) return [];
    return isOwn
      ? await blindSteps(watch, reason, services, at)
      : await serviceSteps([reason], services, at);
  });
  return isRecorded ? "failed" : "lost";
}

/**
 * Ends a look with these steps; false where the lease was lost. Where somebody else changed an
 * incident meanwhile, the steps are made anew.
 */
async function record(
  watch: LeasedWatch,
  outcome: LookOutcome,
  due: number,
  { records }: LookServices,
  steps: () => Promise<readonly Step[]>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_COMMITS; attempt++) {
    if (await records.commit([endOfLook(watch, outcome, due), ...await steps()])) return true;
  }
  return false;
}

/** What a verdict's reasons change for the incidents of its schedule. */
async function incidentSteps(
  { scheduleId, name, mutedUntil }: LeasedWatch,
  reasons: readonly KeptReason[],
  services: LookServices,
  { at, isJudged }: { readonly at: number; readonly isJudged: boolean },
): Promise<Step[]> {
  const open = await services.records.incidents.open(scheduleId);
  const changes = await changesFor(scheduleId, open, reasons, services, {
    at,
    isMuted: mutedUntil !== null && mutedUntil > at,
  });
  const news = changes.filter(({ event, isNew }) => isJudged || isNew || event !== null);
  return news.flatMap((change) => changeSteps(change, name, services, at));
}

/** The incident that a schedule can't be looked at; its others stay as they are. */
async function blindSteps(
  { scheduleId, name, mutedUntil }: LeasedWatch,
  reason: KeptReason,
  services: LookServices,
  at: number,
): Promise<Step[]> {
  const open = await services.records.incidents.open(scheduleId);
  const blind = open.filter(({ code }) => code === reason.code);
  const isMuted = mutedUntil !== null && mutedUntil > at;
  const changes = await changesFor(scheduleId, blind, [reason], services, { at, isMuted });
  return changes.flatMap((change) => changeSteps(change, name, services, at));
}

/** The incidents of the service as a whole: many watches tell the same, so one is enough. */
async function serviceSteps(
  reasons: readonly KeptReason[],
  services: LookServices,
  at: number,
): Promise<Step[]> {
  const open = await services.records.incidents.open(null);
  if (open.length === 0 && reasons.length === 0) return [];
  const changes = await changesFor(null, open, reasons, services, { at, isMuted: false });
  const isBlind = reasons.some(({ code }) => code === "blind");
  return changes
    .filter(({ incident: { code, resolved } }) => !isBlind || resolved === null || code === "blind")
    .filter(({ event }) => event !== null)
    .flatMap((change) => changeSteps(change, "", services, at));
}

async function changesFor(
  scheduleId: number | null,
  open: readonly Incident[],
  reasons: readonly KeptReason[],
  { records: { incidents } }: LookServices,
  options: { readonly at: number; readonly isMuted: boolean },
): Promise<readonly IncidentChange<Incident>[]> {
  const isOpen = ({ code }: KeptReason) => open.some((incident) => incident.code === code);
  const fresh = notableReasons(reasons).filter((reason) => !isOpen(reason));
  const ended = fresh.length === 0 ? [] : await incidents.ended(scheduleId, 50);
  const others = await Promise.all(
    notableReasons(reasons).map((reason) => incidents.get(incidentId(scheduleId, reason))),
  );
  const known = new Map(ended.map((incident) => [incident.id, incident]));
  for (const incident of others) {
    if (incident && incident.resolved !== null) known.set(incident.id, incident);
  }
  return incidentChanges({ scheduleId, open, ended: [...known.values()] }, reasons, options);
}

function changeSteps(
  change: IncidentChange<Incident>,
  scheduleName: string,
  { outlets, origin }: LookServices,
  at: number,
): Step[] {
  const { event: kind, notify } = change;
  const incident = change.isNew ? { ...change.incident, version: 1 } : change.incident;
  const line = kind && { incidentId: incident.id, at, kind, person: null, note: null };
  const event = notify &&
    eventOf(incident, { type: `incident.${notify}`, at, scheduleName, origin });
  return [
    change.isNew ? insertIncident(incident) : updateIncident(incident),
    ...(line ? [insertEvent(line)] : []),
    ...(event ? deliverySteps(event, outlets, { incidentId: incident.id, now: at }) : []),
  ];
}

function clockReason(offset: number | null): KeptReason | null {
  if (offset === null || Math.abs(offset) <= CLOCK_OFF_MS) return null;
  return {
    code: "clock",
    severity: "warning",
    since: null,
    runs: [],
    evidence: { serviceIsAheadBySeconds: Math.round(offset / 1000) },
  };
}

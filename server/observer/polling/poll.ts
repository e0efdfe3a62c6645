/** One look at a schedule: read what is new, judge it, and record changes in one transaction. */
import { MOST_OPEN } from "../../../lib/judgement/facts.ts";
import { type IncidentReason, notableReasons } from "../../../lib/judgement/incident.ts";
import { NO_FAILURES } from "../../../lib/judgement/retries.ts";
import { terminalText } from "../../../lib/terminal.ts";
import { maskAddresses } from "../../../lib/runs/mask.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { TransactionStep } from "../../store/engine.ts";
import { putRuns, removeRuns, type WatchedRunText } from "../../store/observer/watched_runs.ts";
import type { LeasedWatch } from "../../store/observer/types.ts";
import { outdateIfChanged, putVerdict } from "../../store/observer/verdicts.ts";
import { endOfPoll } from "../../store/observer/polls.ts";
import {
  blindSteps,
  type IncidentServices,
  incidentSteps,
  serviceSteps,
} from "./incident_steps.ts";
import { JudgingError } from "../judging/judging.ts";
import type { PlanSlots } from "./judge.ts";
import { copiesAfter, judgeCopies, type JudgingServices } from "./judge_stored_runs.ts";
import type { KnownCopies } from "./known_copies.ts";
import { isUnfinished, type KnownHistory, type News, readNews } from "./read_changes.ts";
import { nextAfterFailure, rhythmOf } from "./rhythm.ts";
import { failureWords, isAboutSchedule, isTooMany, type ServiceAccess } from "./service_access.ts";

export interface LookServices extends IncidentServices, JudgingServices {
  readonly access: ServiceAccess;
  readonly copies: KnownCopies;
  readonly planSlots: PlanSlots;
  readonly now: () => number;
  /** IANA name of the zone of the service's times without one. */
  readonly zone: string;
}

/** How a look ended; `lost` if another instance took over meanwhile. */
export type LookEnd = "ok" | "failed" | "lost";

/** How long reading may take; the lease lasts longer. */
const READ_MS = 20_000;
/** How often a look is recorded again if somebody else changed the same incident. */
const MOST_COMMITS = 4;
/** A failure is reported after this many failed looks in a row, since one may be a blip. */
const TOLD_AFTER = 2;
/** A service that asks for fewer requests is reported if that lasts this long. */
const TOLD_AFTER_MS = 5 * 60_000;
/** A clock that is off by more than this is reported. */
const CLOCK_OFF_MS = 60_000;
/** At most this much of a report's title is kept. */
const MOST_TITLE = 200;

export async function look(watch: LeasedWatch, services: LookServices): Promise<LookEnd> {
  const { access, copies, zone, now } = services;
  const { scheduleId } = watch;
  const known = await copies.of(watch);
  let news: News;
  try {
    const signal = AbortSignal.timeout(READ_MS);
    news = await readNews(access.backend, scheduleId, known, { now: now(), zone, signal });
    if (news.shrank) throw new HistoryShrank();
  } catch (error) {
    return await recordFailure(watch, error, services);
  }
  try {
    return await recordNews(watch, news, known, services);
  } catch (error) {
    if (!(error instanceof JudgingError)) throw error;
    return await recordFailure(watch, error, services);
  }
}

/** The history has far fewer runs than before. */
class HistoryShrank extends Error {}

async function recordNews(
  before: LeasedWatch,
  news: News,
  known: KnownHistory,
  services: LookServices,
): Promise<LookEnd> {
  const { records, access, copies, everyMs, planSlots, now } = services;
  const { scheduleId } = before;
  const { put, removed } = news;
  const at = now();
  const offset = access.clockOffset();
  const kept = await records.verdicts.get(scheduleId);
  const serviceNow = at + (offset ?? 0);
  const isJudged = put.length > 0 || removed.length > 0 || !kept || before.failures > 0 ||
    serviceNow >= kept.holdsUntil || serviceNow < kept.judged - CLOCK_OFF_MS;
  const verdict = isJudged
    ? await judgeCopies(before, news, { known, before: kept, now: serviceNow }, services)
    : kept;
  const timed = copiesAfter(known.newest, news).filter(({ start }) => start !== null);
  // By a clock that is wrong, some start in the future: they don't displace others.
  const ahead = timed.filter(({ start }) => start! > serviceNow).length;
  const watch = { ...before, title: titleOf(timed[ahead]) || before.title };
  const rhythm = rhythmOf({
    now: serviceNow,
    state: verdict.state,
    wrongSince: wrongSince(verdict.details.reasons),
    plan: verdict.details.plan,
    waitsMs: verdict.details.waitsMs,
    isDue: verdict.details.isDue ?? false,
    latestStart: timed[ahead]?.start ?? null,
    openStarts: timed.slice(Math.max(0, ahead - MOST_OPEN), ahead + MOST_OPEN)
      .flatMap(({ start, text }) => isUnfinished(text) ? start! : []),
    stuckAfter: verdict.details.stuckAfter ?? null,
  }, { everyMs, planSlots });
  const due = rhythm.next - (offset ?? 0);
  const clock = clockReason(offset);
  const { reasons } = verdict.details;
  const failures = byOwnClock(verdict.details.failures, offset ?? 0);
  const isRecorded = await record(services, async () => {
    const { steps, next } = await incidentSteps(watch, reasons, services, {
      at,
      isJudged,
      failures,
      plan: verdict.details.plan,
      planSlots,
    });
    const nextDue = Math.min(due, next ?? Infinity);
    return [
      endOfPoll(watch, { polled: at, title: watch.title }, nextDue),
      ...putRuns(scheduleId, put),
      ...removeRuns(scheduleId, removed),
      ...(isJudged
        ? [
          putVerdict({ ...verdict, holdsUntil: rhythm.holdsUntil }),
          outdateIfChanged(watch),
        ]
        : []),
      ...steps,
      ...await serviceSteps(clock ? [clock] : [], services, at),
    ];
  });
  if (!isRecorded) return "lost";
  if (put.length === 0 && removed.length === 0) copies.keep(scheduleId, at, known);
  return "ok";
}

/** The title in a run, as every page and outlet may show it; empty if there is none. */
function titleOf(run: WatchedRunText | undefined): string {
  const { reportTitle }: Partial<ReportRun> = run ? JSON.parse(run.text) : {};
  return reportTitle
    ? terminalText(maskAddresses(reportTitle.slice(0, 2 * MOST_TITLE))).slice(0, MOST_TITLE)
    : "";
}

/** When the newest of the reasons that count as incidents began. */
function wrongSince(reasons: readonly IncidentReason[]): number | null {
  const moments = notableReasons(reasons).flatMap(({ since }) => since ?? []);
  return moments.length > 0 ? Math.max(...moments) : null;
}

/** Incidents use the clock of this machine, verdicts the service's. */
function byOwnClock(
  { retryUntil, failedLately } = NO_FAILURES,
  offset: number,
): typeof NO_FAILURES {
  return { retryUntil: retryUntil === null ? null : retryUntil - offset, failedLately };
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
    : error instanceof JudgingError
    ? "The history could not be judged"
    : failureWords(error);
  const failures = watch.failures + 1;
  const since = watch.failingSince ?? at;
  const due = nextAfterFailure(at, failures, { everyMs, notBefore: access.pausedUntil() });
  // Until a pause ends that the service asked for, nobody looks.
  const isLong = Math.max(at, access.pausedUntil()) - since >= TOLD_AFTER_MS;
  const isTold = isLong || !isTooMany(error) && failures >= TOLD_AFTER;
  const isOwn = error instanceof HistoryShrank || error instanceof JudgingError ||
    isAboutSchedule(error) ||
    await records.polls.othersPolled(watch.scheduleId, since) > 0;
  const reason: IncidentReason = {
    code: "blind",
    severity: "critical",
    since,
    runs: [],
    evidence: { failure },
  };
  const end = endOfPoll(watch, { failed: at, failure }, due);
  const isRecorded = await record(services, async () => {
    if (!isTold) return [end];
    const told = isOwn
      ? await blindSteps(watch, reason, services, at)
      : await serviceSteps([reason], services, at);
    return [end, ...told];
  });
  return isRecorded ? "failed" : "lost";
}

/**
 * Records what a look found; false if the lease was lost. If somebody else changed an incident
 * meanwhile, the steps are made again.
 */
async function record(
  { records }: LookServices,
  steps: () => Promise<readonly TransactionStep[]>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_COMMITS; attempt++) {
    if (await records.commit(await steps())) return true;
  }
  return false;
}

function clockReason(offset: number | null): IncidentReason | null {
  if (offset === null || Math.abs(offset) <= CLOCK_OFF_MS) return null;
  return {
    code: "clock",
    severity: "warning",
    since: null,
    runs: [],
    evidence: { serviceIsAheadBySeconds: Math.round(offset / 1000) },
  };
}

/**
 * One poll of a schedule: read what changed, judge it, and record the result in one transaction.
 */
import { MOST_OPEN } from "../../../lib/judgement/facts.ts";
import { type IncidentReason, notableReasons } from "../../../lib/judgement/incident.ts";
import { type FailurePattern, NO_FAILURES } from "../../../lib/judgement/retries.ts";
import { terminalText } from "../../../lib/terminal.ts";
import { maskAddresses } from "../../../lib/runs/mask.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { TransactionStep } from "../../store/engine.ts";
import { endOfPoll } from "../../store/observer/polls.ts";
import type { LeasedWatch, StoredVerdict } from "../../store/observer/types.ts";
import { outdateIfChanged, putVerdict } from "../../store/observer/verdicts.ts";
import { putRuns, removeRuns, type WatchedRunText } from "../../store/observer/watched_runs.ts";
import { JudgingError } from "../judging/judging.ts";
import {
  type IncidentServices,
  incidentSteps,
  serviceSteps,
  unreadableSteps,
} from "./incident_steps.ts";
import { judgeStoredRuns, type JudgingServices, runsAfter } from "./judge_stored_runs.ts";
import {
  type HistoryChanges,
  HistoryShrankError,
  isUnfinished,
  readChanges,
  type StoredHistory,
  USUAL_RUNS,
} from "./read_changes.ts";
import { nextAfterFailure, nextPollOf } from "./next_poll.ts";
import { failureWords, isAboutSchedule, isTooMany, type ServiceAccess } from "./service_access.ts";

export interface PollServices extends IncidentServices, JudgingServices {
  readonly access: ServiceAccess;
  readonly now: () => number;
  /** IANA name of the zone of the service's times without one. */
  readonly zone: string;
}

/** How a poll ended; `lost` if another instance took over meanwhile. */
export type PollResult = "ok" | "failed" | "lost";

/** How long reading may take; the lease lasts longer. */
const READ_MS = 20_000;
/** How often recording is tried if somebody else changes the same incident. */
const MAX_COMMITS = 4;
/** A failure is reported after this many failed polls in a row, since one may be a blip. */
const REPORTED_AFTER = 2;
/** A service that asks for fewer requests is reported if that lasts this long. */
const REPORTED_AFTER_MS = 5 * 60_000;
/** A clock that is off by more than this is reported. */
const CLOCK_OFF_MS = 60_000;
/** At most this much of a report's title is stored. */
const MAX_TITLE = 200;

/** Polls a schedule that this instance has claimed. */
export async function pollSchedule(
  watch: LeasedWatch,
  services: PollServices,
): Promise<PollResult> {
  const { records, access, zone, now } = services;
  const { scheduleId } = watch;
  const newest = await records.runs.newestTexts(scheduleId, USUAL_RUNS);
  const count = newest.length < USUAL_RUNS ? newest.length : await records.runs.count(scheduleId);
  const stored = { newest, count };
  let changes: HistoryChanges;
  try {
    const signal = AbortSignal.timeout(READ_MS);
    changes = await readChanges(access.backend, scheduleId, stored, { now: now(), zone, signal });
  } catch (error) {
    return await recordFailure(watch, error, services);
  }
  try {
    return await recordChanges(watch, changes, stored, services);
  } catch (error) {
    if (!(error instanceof JudgingError)) throw error;
    return await recordFailure(watch, error, services);
  }
}

async function recordChanges(
  before: LeasedWatch,
  changes: HistoryChanges,
  stored: StoredHistory,
  services: PollServices,
): Promise<PollResult> {
  const { records, access, everyMs, now } = services;
  const { scheduleId } = before;
  const { put, removed } = changes;
  const at = now();
  // Verdicts use the service's clock, incidents and what is due the clock of this machine.
  const offset = access.clockOffset();
  const serviceNow = at + (offset ?? 0);
  const previous = await records.verdicts.get(scheduleId);
  const isJudged = put.length > 0 || removed.length > 0 || !previous || before.failures > 0 ||
    serviceNow >= previous.holdsUntil || serviceNow < previous.judged - CLOCK_OFF_MS;
  const judged = isJudged
    ? await judgeStoredRuns(before, changes, { before: previous, now: serviceNow }, services)
    : null;
  const verdict = judged?.verdict ?? previous!;
  const started = runsAfter(stored.newest, changes).filter(({ start }) => start !== null);
  // If a clock was wrong, some start in the future.
  const ahead = started.filter(({ start }) => start! > serviceNow).length;
  const watch = { ...before, title: titleOf(started[ahead]) || before.title };
  const { reasons, plan, waitsMs, isDue, stuckAfter } = verdict.details;
  const nextPoll = nextPollOf({
    now: serviceNow,
    state: verdict.state,
    wrongSince: wrongSince(reasons),
    plan,
    waitsMs,
    isDue: isDue ?? false,
    latestStart: started[ahead]?.start ?? null,
    openStarts: started.slice(Math.max(0, ahead - MOST_OPEN), ahead + MOST_OPEN)
      .flatMap(({ start, text }) => isUnfinished(text) ? start! : []),
    stuckAfter: stuckAfter ?? null,
  }, everyMs);
  const due = nextPoll.next - (offset ?? 0);
  const clock = clockReason(offset);
  const failures = byOwnClock(verdict.details.failures, offset ?? 0);
  const isRecorded = await record(services, async () => {
    const { steps, next } = await incidentSteps(watch, verdict.details, services, {
      at,
      isJudged,
      failures,
    });
    const stored: StoredVerdict = { ...verdict, holdsUntil: nextPoll.holdsUntil };
    return [
      endOfPoll(watch, { polled: at, title: watch.title }, Math.min(due, next ?? Infinity)),
      ...putRuns(scheduleId, put),
      ...removeRuns(scheduleId, removed),
      ...(judged ? [putVerdict(stored, judged.carried), outdateIfChanged(watch)] : []),
      ...steps,
      ...await serviceSteps(clock ? [clock] : [], services, at),
    ];
  });
  return isRecorded ? "ok" : "lost";
}

/** The title in a run, as every page and outlet may show it; empty if there is none. */
function titleOf(run: WatchedRunText | undefined): string {
  const { reportTitle }: Partial<ReportRun> = run ? JSON.parse(run.text) : {};
  return reportTitle
    ? terminalText(maskAddresses(reportTitle.slice(0, 2 * MAX_TITLE))).slice(0, MAX_TITLE)
    : "";
}

/** When the newest of the reasons that count as incidents began. */
function wrongSince(reasons: readonly IncidentReason[]): number | null {
  const moments = notableReasons(reasons).flatMap(({ since }) => since ?? []);
  return moments.length > 0 ? Math.max(...moments) : null;
}

function byOwnClock(
  { retryUntil, failedLately }: FailurePattern = NO_FAILURES,
  offset: number,
): FailurePattern {
  return { retryUntil: retryUntil === null ? null : retryUntil - offset, failedLately };
}

async function recordFailure(
  watch: LeasedWatch,
  error: unknown,
  services: PollServices,
): Promise<PollResult> {
  const { records, access, everyMs, now } = services;
  const at = now();
  const [failure, isOwn] = error instanceof HistoryShrankError
    ? ["The history has far fewer runs than before", true]
    : error instanceof JudgingError
    ? ["The history could not be judged", true]
    : [failureWords(error), isAboutSchedule(error)];
  const failures = watch.failures + 1;
  const since = watch.failingSince ?? at;
  const due = nextAfterFailure(at, failures, { everyMs, notBefore: access.pausedUntil() });
  // Until a pause ends that the service asked for, nothing is polled.
  const isLong = Math.max(at, access.pausedUntil()) - since >= REPORTED_AFTER_MS;
  const isReported = isLong || !isTooMany(error) && failures >= REPORTED_AFTER;
  const reason: IncidentReason = {
    code: "unreadable",
    severity: "critical",
    since,
    runs: [],
    evidence: { failure },
  };
  const end = endOfPoll(watch, { failed: at, failure }, due);
  const isRecorded = await record(services, async () => {
    if (!isReported) return [end];
    // If others can be read, the fault is this schedule's.
    const isOfSchedule = isOwn || await records.polls.othersPolled(watch.scheduleId, since) > 0;
    const steps = isOfSchedule
      ? await unreadableSteps(watch, reason, services, at)
      : await serviceSteps([reason], services, at);
    return [end, ...steps];
  });
  return isRecorded ? "failed" : "lost";
}

/**
 * Records the result of a poll; false if the lease was lost. If somebody else changed an incident
 * meanwhile, the steps are made again.
 */
async function record(
  { records }: PollServices,
  makeSteps: () => Promise<readonly TransactionStep[]>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    if (await records.commit(await makeSteps())) return true;
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

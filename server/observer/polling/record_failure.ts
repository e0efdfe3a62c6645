/** Polls that failed: when to poll again, and when that is an incident. */
import type { IncidentReason } from "../../../lib/judgement/incident.ts";
import type { TransactionStep } from "../../store/engine.ts";
import { endOfPoll } from "../../store/observer/polls.ts";
import type { LeasedWatch } from "../../store/observer/types.ts";
import { setText } from "../../store/observer/values.ts";
import { JudgingError } from "../judging/judging.ts";
import { type IncidentServices, serviceSteps, unreadSteps } from "./incident_steps.ts";
import { nextAfterFailure } from "./next_poll.ts";
import type { PollResult, PollServices } from "./poll_services.ts";
import { HistoryShrankError } from "./read_changes.ts";
import { failureWords, isAboutSchedule, isTooMany } from "./service_access.ts";
import { isStaleFailure, staleFailureOf } from "./stale_answer.ts";

/** A failure is reported after this many failed polls in a row, since one may be a blip. */
const REPORTED_AFTER = 2;
/** Stale answers, and a service that asks for fewer requests, are reported if they last this long. */
const REPORTED_AFTER_MS = 5 * 60_000;
/** The codes of incidents that end when the service can be read again. */
const READING_CODES: readonly string[] = ["unreadable", "stale"];
/** How often recording is tried if somebody else changes the same incident. */
const MAX_COMMITS = 4;

/** Records that a poll failed. */
export async function recordFailure(
  watch: LeasedWatch,
  error: unknown,
  services: PollServices,
): Promise<PollResult> {
  const { records, access, everyMs, now } = services;
  const at = now();
  const stale = staleFailureOf(error);
  const [failure, isOwn] = error instanceof HistoryShrankError
    ? ["The history has far fewer runs than before", true]
    : error instanceof JudgingError
    ? ["The history could not be judged", true]
    : [failureWords(error), isAboutSchedule(error)];
  const failures = watch.failures + 1;
  const since = watch.failingSince ?? at;
  const verdict = failures > 1 ? await records.verdicts.get(watch.scheduleId) : undefined;
  const due = nextAfterFailure(at, failures, {
    everyMs,
    plan: verdict?.details.plan,
    notBefore: access.pausedUntil(),
    isStale: stale !== null,
  });
  // Until a pause ends that the service asked for, nothing is polled.
  const isLong = Math.max(at, access.pausedUntil()) - since >= REPORTED_AFTER_MS;
  const isPassing = stale !== null || isTooMany(error) || error instanceof HistoryShrankError ||
    isStaleFailure(watch.failure);
  const isReported = isLong || !isPassing && failures >= REPORTED_AFTER;
  const reason: IncidentReason = {
    code: stale !== null ? "stale" : "unreadable",
    severity: stale !== null ? "warning" : "critical",
    since,
    runs: [],
    evidence: { failure },
  };
  const end = endOfPoll(watch, { failed: at, failure }, due);
  const isRecorded = await record(services, async () => {
    const ends = [
      end,
      ...stale !== null ? await noteStaleAnswer(watch, failure, at, services) : [],
    ];
    if (!isReported) return ends;
    // If others can be read, the fault is this schedule's.
    const { scheduleId } = watch;
    const isOfSchedule = isOwn || await records.polls.othersPolled(scheduleId, since) > 0 ||
      // It may lack runs that somebody removed; that the service fails is no such matter.
      stale !== null && !await records.polls.othersFail(scheduleId);
    if (!isOfSchedule) {
      return [...ends, ...await serviceSteps([reason], [reason.code], services, at)];
    }
    return [...ends, ...await unreadSteps(watch, reason, services, at)];
  });
  if (isRecorded) await endUnread(services, at);
  return isRecorded ? "failed" : "lost";
}

/**
 * Resolves that the service can't be read when every schedule can be, or has an incident of its own.
 * This is a transaction of its own: of polls that end together, only a later one sees them all.
 */
export async function endUnread(services: IncidentServices, at: number): Promise<void> {
  const { records } = services;
  await record(services, async () => {
    const isUnread = (await records.incidents.open(null)).some(({ code }) =>
      READING_CODES.includes(code)
    );
    if (!isUnread || await records.polls.anyUnread(READING_CODES)) return [];
    return await serviceSteps([], READING_CODES, services, at);
  });
}

/** A stale answer that a schedule's polls got each time since `since`. */
export interface StaleAnswer {
  readonly failure: string;
  readonly since: number;
}

/** The stale answer that the last poll got; null if it got none. */
export async function sameStaleAnswer(
  { scheduleId, failure, failingSince }: LeasedWatch,
  { records: { values } }: Pick<PollServices, "records">,
): Promise<StaleAnswer | null> {
  if (!isStaleFailure(failure)) return null;
  const noted: StaleAnswer | null = JSON.parse(await values.text(staleName(scheduleId)) ?? "null");
  return noted && noted.failure === failure && noted.since >= failingSince! ? noted : null;
}

async function noteStaleAnswer(
  watch: LeasedWatch,
  failure: string,
  at: number,
  services: PollServices,
): Promise<TransactionStep[]> {
  const before = await sameStaleAnswer(watch, services);
  if (before?.failure === failure) return [];
  const noted: StaleAnswer = { failure, since: at };
  return [setText(staleName(watch.scheduleId), JSON.stringify(noted))];
}

const staleName = (scheduleId: number) => `stale/${scheduleId}`;

/**
 * Records the result of a poll; false if the lease was lost. If somebody else changed an incident
 * meanwhile, the steps are made again.
 */
export async function record(
  { records }: Pick<PollServices, "records">,
  makeSteps: () => Promise<readonly TransactionStep[]>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    if (await records.commit(await makeSteps())) return true;
  }
  return false;
}

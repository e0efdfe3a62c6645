/** Records failed polls: when to poll again, and when the failure is an incident. */
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import { errorStatus } from "../../backend/service.ts";
import type { TransactionStep } from "../../store/records/transaction_step.ts";
import { endOfPoll, type LeasedWatch } from "../../store/records/polls.ts";
import { JudgingError } from "../judging/judging.ts";
import type { IncidentServices } from "../message_steps.ts";
import { reasonSteps } from "./incident_steps.ts";
import { nextAfterFailure } from "./next_poll.ts";
import type { PollServices } from "./judge_stored_runs.ts";
import { HistoryShrankError } from "./read_changes.ts";
import {
  BELIEVED_AFTER_MS,
  failureWords,
  isStaleFailure,
  isTooMany,
  StaleAnswerError,
  staleFailureOf,
} from "./service_access.ts";

/** `lost`: another instance took over meanwhile; `unjudged`: no worker was free. */
export type PollResult = "ok" | "failed" | "lost" | "unjudged";

/** A failure is reported after this many failed polls in a row. */
const REPORTED_AFTER = 2;
/** Failures that often pass, such as stale answers, are reported if they last this long. */
const REPORTED_AFTER_MS = 5 * MINUTE;
/** How soon a schedule that is not watched is read again after a failure. */
export const READ_AGAIN_MS = HOUR;
/** The codes of incidents that end when the service can be read again. */
const READING_CODES: readonly ReasonCode[] = ["unreadable", "stale"];
/** How often a transaction is tried while others change the same incidents. */
export const MAX_COMMITS = 5;

export async function recordFailure(
  watch: LeasedWatch,
  error: unknown,
  services: PollServices,
): Promise<PollResult> {
  const { records, access, everyMs, now } = services;
  const at = now();
  const stale = staleFailureOf(error);
  const refusal = refusalOf(error);
  const [failure, isOwn] = error instanceof HistoryShrankError
    ? ["The history has far fewer runs than before", true]
    : error instanceof JudgingError
    ? ["The history could not be judged", true]
    : [failureWords(error), false];
  const failures = watch.failures + 1;
  const since = watch.failingSince ?? at;
  const verdict = await records.verdicts.get(watch.scheduleId);
  // Plans use the service's clock.
  const offset = access.clock?.offset() ?? 0;
  const soonest = nextAfterFailure(at + offset, failures, {
    everyMs,
    plan: verdict?.details.plan ?? watch.plan,
    waitsMs: verdict?.details.waitsMs,
    notBefore: access.pausedUntil() + offset,
    isStale: stale !== null,
  }) - offset;
  const due = watch.watched ? soonest : Math.max(soonest, at + READ_AGAIN_MS);
  // Nothing is polled before a pause ends that the service demanded.
  const isLong = Math.max(at, access.pausedUntil()) - since >= REPORTED_AFTER_MS;
  const isPassing = stale !== null || isTooMany(error) || error instanceof HistoryShrankError ||
    isStaleFailure(watch.failure);
  const isReported = watch.watched === 1 &&
    (isLong || refusal !== null || !isPassing && failures >= REPORTED_AFTER);
  const said = isReported && refusal === "schedule"
    ? await explainRefusal(watch, failure, error, services)
    : { isOfService: refusal === "token", failure };
  const reason: Reason = {
    code: stale !== null ? "stale" : "unreadable",
    severity: stale !== null ? "warning" : "critical",
    subject: "",
    since,
    runs: [],
    failure: said.failure,
  };
  const end = endOfPoll(watch, { failed: at, failure, ...lackAt(at, watch, error) }, due);
  const isRecorded = await record(services, async () => {
    if (!isReported) return [end];
    const { scheduleId } = watch;
    const isOfSchedule = refusal !== null ? !said.isOfService : isOwn ||
      // If other schedules can be read, the cause is this schedule.
      await records.polls.othersPolled(scheduleId, since) ||
      // Somebody may have removed the runs, so the service need not be the cause.
      stale !== null && !await records.polls.othersFail(scheduleId);
    const about = isOfSchedule ? watch : null;
    return [end, ...await reasonSteps(about, [reason], [reason.code], services, at)];
  });
  if (isRecorded && watch.watched === 1) await endUnread(services, at);
  return isRecorded ? "failed" : "lost";
}

/** Whether the service refuses its token, or one schedule; null for other errors. */
function refusalOf(error: unknown): "token" | "schedule" | null {
  const status = errorStatus(error);
  return status === 401 ? "token" : [403, 404, 409].includes(status ?? 0) ? "schedule" : null;
}

/** Says whose refusal it is: the service's if another schedule, asked now, is refused as well. */
async function explainRefusal(
  { scheduleId }: LeasedWatch,
  failure: string,
  error: unknown,
  { records, access, now }: PollServices,
): Promise<{ readonly isOfService: boolean; readonly failure: string }> {
  const { other, anyRead } = await records.polls.readBefore(scheduleId);
  if (other !== null && access.pausedUntil() <= now()) {
    const refused = await access.backend.reportSchedules.history(other, { limit: 1 })
      .then(() => false, (second) => refusalOf(second) !== null);
    const words = `The service refuses schedules ${scheduleId} and ${other}`;
    if (refused) return { isOfService: true, failure: `${words} (status ${errorStatus(error)})` };
  }
  const soFar = "; it has not let OBSERVER_TOKEN read any schedule so far";
  return { isOfService: false, failure: anyRead ? failure : failure + soFar };
}

/** Resolves the service's incident, unless other polls still fail. */
export async function endUnread(services: IncidentServices, at: number): Promise<void> {
  const { records } = services;
  await record(services, async () => {
    const unread = (await records.incidents.open(null))
      .filter(({ code }) => READING_CODES.includes(code));
    if (unread.length === 0) return [];
    const opened = Math.max(...unread.map(({ opened }) => opened));
    if (await records.polls.anyUnread(READING_CODES, opened)) return [];
    return await reasonSteps(null, [], READING_CODES, services, at);
  });
}

/** What a suspicious answer lacks; null for other errors. */
function lackedBy(error: unknown): string | null {
  if (error instanceof HistoryShrankError) return "most runs";
  return error instanceof StaleAnswerError && error.runs.length > 0 ? error.runs.join() : null;
}

/** Suspicious answers are believed if polls have got the same ones for long. */
export function believedAt(
  at: number,
  { failures, lacked, lackedSince }: LeasedWatch,
): (error: StaleAnswerError | HistoryShrankError) => boolean {
  return (error) =>
    failures > 0 && lacked !== null && lacked === lackedBy(error) &&
    at - lackedSince! >= BELIEVED_AFTER_MS;
}

/** What an answer lacks, and since when. Errors that are not about the history change nothing. */
function lackAt(
  at: number,
  watch: LeasedWatch,
  error: unknown,
): Partial<Pick<LeasedWatch, "lacked" | "lackedSince">> {
  const lacked = lackedBy(error);
  const isSame = watch.failures > 0 && watch.lacked === lacked;
  return lacked === null || isSame ? {} : { lacked, lackedSince: at };
}

/** Records a poll's result. Tries again if incidents changed meanwhile; false if the lease was lost. */
export async function record(
  { records }: Pick<PollServices, "records">,
  makeSteps: () => Promise<readonly TransactionStep[]>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    if (await records.commit(await makeSteps())) return true;
  }
  return false;
}

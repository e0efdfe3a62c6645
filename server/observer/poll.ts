/** One poll of a schedule: asks for what changed, judges it, and records the result at once. */
import { MINUTE } from "../../lib/time_units.ts";
import type { LeasedWatch } from "../store/records/polls.ts";
import { judgePoll, type ReadRuns, runsAfter } from "./judge.ts";
import { JudgingError } from "./judging/judging.ts";
import type { PollServices } from "./poll_services.ts";
import { readChanges, USUAL_RUNS } from "./read_changes.ts";
import { readFailure } from "./read_failure.ts";
import { readWhole } from "./read_whole.ts";
import { toRun } from "../store/runs/read_runs.ts";
import { recordFailure, recordPoll } from "./record_poll.ts";
import type { StaleAnswerError } from "./service_access.ts";

/**
 * `lost`: another instance took over, or a person changed the watch meanwhile; `postponed`: the
 * service asked to wait, or no worker had time, so the schedule stays due.
 */
type PollOutcome = "ok" | "failed" | "lost" | "postponed";

const READ_TIMEOUT_MS = 20_000;
/** A run of the embedded service may be stored this long before others see it. */
const LATE_WRITE_MS = 2 * MINUTE;
/** The same runs missing for this long were removed: otherwise, no answer would be believed again. */
const BELIEVED_AFTER_MS = 30 * MINUTE;

export async function pollSchedule(
  watch: LeasedWatch,
  services: PollServices,
): Promise<PollOutcome> {
  // An answer shows the state when it was requested, even if it is slow.
  const requested = services.now();
  let read: ReadRuns;
  try {
    read = services.access.clock === null
      ? await readEmbedded(watch, services)
      : await readUpstream(watch, requested, services);
  } catch (error) {
    return await endFailed(watch, error, requested, services);
  }
  try {
    const polled = await judgePoll(watch, read, requested, services);
    return await recordPoll(watch, polled, services) ? "ok" : "lost";
  } catch (error) {
    if (!(error instanceof JudgingError)) throw error;
    return await endFailed(watch, error, requested, services);
  }
}

async function endFailed(
  watch: LeasedWatch,
  error: unknown,
  requested: number,
  services: PollServices,
): Promise<PollOutcome> {
  const failure = readFailure(error);
  if (failure === null) return "postponed";
  return await recordFailure(watch, failure, requested, services) ? "failed" : "lost";
}

async function readUpstream(
  watch: LeasedWatch,
  requested: number,
  services: PollServices,
): Promise<ReadRuns> {
  const { records: { runs }, access, zone, retainRunsMs } = services;
  const { scheduleId } = watch;
  const retainedSince = retainRunsMs ? requested - retainRunsMs : -Infinity;
  const newest = await runs.newestTexts(scheduleId, USUAL_RUNS);
  const count = newest.length < USUAL_RUNS ? newest.length : await runs.count(scheduleId);
  const changes = await readChanges(access.backend, scheduleId, { newest, count }, {
    now: requested,
    zone,
    signal: AbortSignal.timeout(READ_TIMEOUT_MS),
    isBelieved: isBelievedAt(requested, watch),
    retainedSince,
  });
  const { hasMore, isNew } = changes.isWhole
    ? { hasMore: false, isNew: false }
    : await readWhole(watch, services, { requested, retainedSince });
  const isChanged = isNew || changes.put.length > 0 || changes.removed.length > 0;
  return {
    changes,
    isChanged,
    hasMore,
    newestStart: newest[0]?.start ?? null,
    newest: runsAfter(newest, changes),
  };
}

function isBelievedAt(
  at: number,
  { lacked, lackedSince }: LeasedWatch,
): (stale: StaleAnswerError) => boolean {
  return ({ runs }) => lacked === runs.join() && at - lackedSince! >= BELIEVED_AFTER_MS;
}

/** The embedded service's runs are those that are stored. New ones show how late they are stored. */
async function readEmbedded(
  { scheduleId, polled }: LeasedWatch,
  { records: { runs }, access: { backend } }: PollServices,
): Promise<ReadRuns> {
  // It refuses a schedule that it does not have.
  await backend.reportSchedules.history(scheduleId, { limit: 1 });
  const newest = await runs.newestTexts(scheduleId, USUAL_RUNS);
  const added = polled === null
    ? new Set()
    : await runs.known(scheduleId, newest.map(({ id }) => id), polled);
  const newestBefore = newest.find(({ id }) => !added.has(id));
  // A first import shows nothing.
  const put = newestBefore ? newest.filter(({ id }) => added.has(id)).map(toRun) : [];
  return {
    changes: { put, removed: [], isWhole: true },
    isChanged: await runs.anyChangedSince(scheduleId, (polled ?? 0) - LATE_WRITE_MS),
    hasMore: false,
    newestStart: newestBefore?.start ?? null,
    newest,
  };
}

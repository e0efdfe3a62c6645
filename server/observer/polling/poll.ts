/** One poll of a schedule: reads what changed, judges it, and records the result at once. */
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import { isDocketError } from "../../../lib/errors.ts";
import { MAX_OPEN } from "../../../lib/judgement/facts.ts";
import { gapEnding } from "../../../lib/judgement/gap_ending.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { terminalText } from "../../../lib/terminal.ts";
import { maskAddresses } from "../../../lib/runs/recipients.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { endOfPoll, type LeasedWatch } from "../../store/records/polls.ts";
import { ignoreRunsUntil, outdateIfChanged, putVerdict } from "../../store/records/verdicts.ts";
import { recordHistoryRead } from "../../store/records/watches.ts";
import { JudgingError } from "../judging/judging.ts";
import { incidentSteps, reasonSteps } from "./incident_steps.ts";
import {
  hasSameMeanings,
  judgeStoredRuns,
  type PollServices,
  runsAfter,
} from "./judge_stored_runs.ts";
import {
  type HistoryChanges,
  HistoryShrankError,
  isUnfinished,
  readChanges,
  type StoredHistory,
  USUAL_RUNS,
  watchedRun,
} from "./read_changes.ts";
import { checkStatuses, saysUnknown } from "../unknown_statuses.ts";
import { nextPollOf } from "./next_poll.ts";
import {
  believedAt,
  endUnread,
  type PollResult,
  READ_AGAIN_MS,
  record,
  recordFailure,
} from "./record_failure.ts";
import { CLOCK_OFF_MS } from "./service_access.ts";
import { walkHistory } from "../../../lib/client/walks/lists.ts";

/** A run may be stored this long before others see it. */
const LATE_WRITE_MS = 2 * MINUTE;
const READ_TIMEOUT_MS = 20_000;
/** How often a schedule is read that is known but not watched. */
const READ_EVERY_MS = DAY;
const MAX_TITLE = 200;

export async function pollSchedule(
  watch: LeasedWatch,
  services: PollServices,
): Promise<PollResult> {
  const { records, access, zone, now } = services;
  const { scheduleId } = watch;
  // The embedded service's runs are stored already: those that changed since the last poll are new.
  const unchangedSince = access.clock === null ? (watch.polled ?? 0) - LATE_WRITE_MS : undefined;
  const recent = await records.runs.newestTexts(scheduleId, USUAL_RUNS, { unchangedSince });
  const count = recent.length < USUAL_RUNS
    ? recent.length
    : await records.runs.count(scheduleId, { unchangedSince });
  const isSame = believedAt(now(), watch);
  // The embedded service's answers are always right.
  const isBelieved: typeof isSame = (error) => access.clock === null || isSame(error);
  const newest = count > recent.length && isSame(new HistoryShrankError())
    ? await records.runs.newestTexts(scheduleId, count, { unchangedSince })
    : recent;
  const stored = { newest, count, unchangedSince };
  // An answer shows the state when it was requested, even if it is slow.
  const requested = now();
  let changes: HistoryChanges;
  try {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    changes = await readChanges(access.backend, scheduleId, stored, {
      now: requested,
      zone,
      signal,
      isBelieved,
    });
  } catch (error) {
    return await recordFailure(watch, error, services);
  }
  try {
    const { left, isNew } = changes.isWhole
      ? { left: "none" as const, isNew: false }
      : await readWhole(watch, services);
    const facts = { stored, at: requested, hasOlder: isNew };
    const result = await recordChanges(watch, changes, facts, services);
    // A watched schedule is polled again soon enough.
    const waitMs = left === "more" ? 0 : left === "failed" && !watch.watched ? READ_AGAIN_MS : null;
    if (waitMs !== null && result === "ok") {
      await records.polls.makeDue(scheduleId, now() + waitMs);
    }
    return result;
  } catch (error) {
    if (!(error instanceof JudgingError)) throw error;
    // Records nothing: the schedule stays due, and is polled again when the lease has expired.
    if (error.isUntried) return "unjudged";
    return await recordFailure(watch, error, services);
  }
}

async function recordChanges(
  before: LeasedWatch,
  changes: HistoryChanges,
  { stored, at, hasOlder }: {
    readonly stored: StoredHistory;
    readonly at: number;
    /** Whether older runs were stored, too. */
    readonly hasOlder: boolean;
  },
  services: PollServices,
): Promise<PollResult> {
  const { records, access, everyMs } = services;
  const { scheduleId } = before;
  const { put, removed, isWhole } = changes;
  // Verdicts use the service's clock; incidents and due times use the clock of this machine.
  const offset = access.clock?.offset() ?? null;
  const serviceNow = at + (offset ?? 0);
  const previous = await records.verdicts.get(scheduleId);
  const isLate = at - before.due > 2 * everyMs;
  const statuses = await records.statuses.dictionary();
  const isJudged = put.length > 0 || removed.length > 0 || hasOlder || !previous ||
    before.failures > 0 || !hasSameMeanings(previous, statuses) ||
    serviceNow >= previous.holdsUntil || serviceNow < previous.judged - CLOCK_OFF_MS;
  const polled = before.polled === null ? null : before.polled + (offset ?? 0);
  const verdict = isJudged
    ? await judgeStoredRuns(
      before,
      changes,
      { before: previous, stored, statuses, now: serviceNow, polled, isLate },
      services,
    )
    : previous!;
  const started = runsAfter(stored.newest, changes).filter(({ start }) => start !== null);
  // If a clock was wrong, some start in the future.
  const ahead = started.filter(({ start }) => start! > serviceNow).length;
  const newest: Partial<ReportRun> = started[ahead] ? JSON.parse(started[ahead].text) : before;
  const watch = {
    ...before,
    title: titleOf(newest) || before.title,
    ownerId: Number.isSafeInteger(newest.ownerId) ? newest.ownerId! : null,
  };
  // A run that people start by hand is not the planned one.
  const latest = started.slice(ahead).find(({ text }) => JSON.parse(text).automated === true) ??
    started[ahead];
  const { reasons, plan, waitsMs, isDue, stuckAfter } = verdict.details;
  const next = nextPollOf({
    now: serviceNow,
    state: verdict.state,
    wrongSince: wrongSince(reasons),
    plan,
    waitsMs,
    isDue: isDue ?? false,
    latestStart: latest?.start ?? null,
    openStarts: started.slice(Math.max(0, ahead - MAX_OPEN), ahead + MAX_OPEN)
      .flatMap(({ start, text }) => isUnfinished(text) ? start! : []),
    stuckAfter: stuckAfter ?? null,
  }, everyMs);
  const due = next - (offset ?? 0);
  const clock = clockReason(offset);
  const { repairedBy = null, oldest = null } = verdict.details;
  const gaps = {
    plan,
    planned: [...verdict.day, ...verdict.strip],
    starts: started.map(({ start }) => start!),
  };
  const isRecorded = await record(services, async () => {
    const { steps, next } = watch.watched
      ? await incidentSteps(watch, verdict, services, {
        now: at,
        isFirst: before.polled === null,
        ...(repairedBy !== null && { repairedBy: repairedBy - (offset ?? 0) }),
        ...(oldest !== null && { oldest }),
        endingOf: (gap) => gapEnding(gap, gaps),
      })
      : { steps: [], next: null };
    const nextDue = watch.watched ? Math.min(due, next ?? Infinity) : at + READ_EVERY_MS;
    return [
      // First, because it lets one transaction at a time write runs.
      ...access.clock === null ? [] : records.runs.changeSteps(scheduleId, changes, at),
      endOfPoll(watch, { polled: at, title: watch.title, ownerId: watch.ownerId }, nextDue),
      ...(isJudged ? [putVerdict(verdict), outdateIfChanged(watch)] : []),
      // To judge again would cost more, so that polls which are late would become later.
      ...(isLate && !isJudged ? [ignoreRunsUntil(verdict, serviceNow)] : []),
      ...(isWhole && access.clock !== null ? [recordHistoryRead(scheduleId, null)] : []),
      ...steps,
      ...await reasonSteps(null, clock ? [clock] : [], ["clock"], services, at),
    ];
  });
  if (isRecorded) {
    await endUnread(services, at);
    if (isJudged && [previous, verdict].some(saysUnknown)) await checkStatuses(services, at);
  }
  return isRecorded ? "ok" : "lost";
}

/** The title in a run, safe for pages and outlets; empty if there is none. */
function titleOf({ reportTitle }: Partial<ReportRun>): string {
  return reportTitle
    ? terminalText(maskAddresses(reportTitle.slice(0, 2 * MAX_TITLE))).slice(0, MAX_TITLE)
    : "";
}

function wrongSince(reasons: readonly Reason[]): number | null {
  const moments = reasons.filter(({ severity }) => severity !== "info")
    .flatMap(({ since }) => since ?? []);
  return moments.length > 0 ? Math.max(...moments) : null;
}

function clockReason(offset: number | null): Reason | null {
  if (offset === null || Math.abs(offset) <= CLOCK_OFF_MS) return null;
  return {
    code: "clock",
    severity: "warning",
    subject: "",
    since: null,
    runs: [],
    offsetMs: offset,
    impossibleStarts: 0,
    endsBeforeStart: 0,
  };
}

const PAGE = 250;
/** The most pages of older runs that one poll reads, so that other polls need not wait long. */
const PAGES_AT_ONCE = 8;
const READ_WHOLE_MS = 10_000;

/**
 * Reads the next runs of a history that was never read to its end; says whether any are left, and
 * whether any were new.
 */
export async function readWhole(
  { scheduleId, historyRead }: LeasedWatch,
  { records, access, zone, now }: PollServices,
): Promise<{ readonly left: "none" | "more" | "failed"; readonly isNew: boolean }> {
  // The ledger already has all runs of the embedded service.
  if (access.clock === null || historyRead === null) return { left: "none", isNew: false };
  let skip = historyRead;
  const signal = AbortSignal.timeout(READ_WHOLE_MS);
  const history = { limit: PAGE, skip, signal };
  let [pages, isNew] = [0, false];
  try {
    for await (const page of walkHistory(access.backend, scheduleId, history).pages()) {
      skip += page.length;
      const put = page.map((run) => watchedRun(run, zone));
      // What the poll itself has read since then is newer.
      const known = new Set(await records.runs.known(scheduleId, put.map(({ id }) => id)));
      const missing = put.filter(({ id }) => !known.has(id));
      isNew ||= missing.length > 0;
      await records.commit([
        ...records.runs.changeSteps(scheduleId, { put: missing }, now()),
        recordHistoryRead(scheduleId, skip),
      ]);
      if (++pages === PAGES_AT_ONCE) return { left: "more", isNew };
    }
  } catch (error) {
    // A service that repeats rows has no more to give, however often it is asked.
    if (isDocketError(error) && error.kind === "stalled") {
      return { left: "none", isNew };
    }
    // The next poll continues here, and reports the error if it lasts.
    return { left: pages > 0 ? "more" : "failed", isNew };
  }
  await records.commit([recordHistoryRead(scheduleId, null)]);
  return { left: "none", isNew };
}

/** Judges a schedule by its stored runs and the changes that a poll has read. */
import { headline } from "../../../lib/judgement/headline.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { ObserverRecords } from "../../store/observer/observer_records.ts";
import type {
  EntryLag,
  LeasedWatch,
  StoredVerdict,
  WatchedRun,
} from "../../store/observer/types.ts";
import { latestPlanned, plannedText } from "../../store/observer/planned_text.ts";
import type { StoredRunText } from "../../store/ledger/stored_runs.ts";
import type { IncidentServices } from "../message_steps.ts";
import { onlyExpected } from "./expected_runs.ts";
import type { JudgedRuns, JudgeQuestion } from "../judging/judging_questions.ts";
import type { ServiceAccess } from "./service_access.ts";
import { type HistoryChanges, MAX_RUNS } from "./read_changes.ts";

export interface PollServices extends IncidentServices {
  readonly judge: (question: JudgeQuestion) => Promise<JudgedRuns>;
  readonly everyMs: number;
  readonly access: ServiceAccess;
  readonly now: () => number;
  /** IANA name of the zone of the service's times without one. */
  readonly zone: string;
}

/** A day begins at most this long ago, wherever the reader is. */
const DAY_IN_ANY_ZONE = 26 * 3_600_000;

export async function judgeStoredRuns(
  watch: LeasedWatch,
  changes: HistoryChanges,
  { before, now, polled }: {
    readonly before: StoredVerdict | undefined;
    /** When the runs were asked for, by the service's clock. */
    readonly now: number;
    readonly polled: number | null;
  },
  { records, judge, everyMs }: PollServices,
): Promise<{ readonly verdict: StoredVerdict; readonly carried: string | null }> {
  const { scheduleId, plan, statuses, pauses } = watch;
  const stored = await records.runs.newestTexts(scheduleId, MAX_RUNS);
  const ids = new Set(stored.map(({ id }) => id));
  const added = changes.put.filter(({ id }) => !ids.has(id));
  const runs = runsAfter(stored, changes).slice(0, MAX_RUNS).map(({ text }) => text);
  const judged = await judge({
    runs: `[${runs.join(",")}]`,
    olderUnread: runs.length >= MAX_RUNS,
    now,
    statuses: statuses ?? defaultStatusDictionary(),
    plan,
    pauses,
    calendar: await records.calendars.daysFor(scheduleId),
    said: await saidOf(records, scheduleId, now),
    carried: before ? await records.verdicts.carried(scheduleId) : null,
  });
  const lag = entryLag(added, {
    before: before?.details.lag ?? NO_LAG,
    polled,
    asked: now,
    everyMs,
  });
  const waitsMs = lagToWaitFor(lag.lag, judged.usualDuration, plan !== null) + judged.clocksMs;
  const { state, reasons, schedule, planned } = onlyExpected(judged.verdict, {
    now,
    lagMs: waitsMs,
  });
  const overdue = schedule?.counts.overdue ?? 0;
  const isDue = reasons.some(({ code, evidence }) => code === "late" && "due" in evidence) ||
    overdue !== (judged.verdict.schedule?.counts.overdue ?? 0);
  const verdict = {
    scheduleId,
    judged: now,
    holdsUntil: now,
    state,
    headline: headline({ state, reasons }),
    planSource: schedule?.source ?? null,
    lastSuccess: judged.lastSuccess,
    nextDue: schedule?.next ?? null,
    overdue,
    failing: judged.failing,
    strip: plannedText(latestPlanned(planned, now)),
    day: plannedText(planned.filter(({ at }) => at > now - DAY_IN_ANY_ZONE)),
    people: judged.people,
    reached: judged.reached.join(" "),
    details: {
      reasons,
      plan: schedule?.plan ?? null,
      missed: schedule?.missed.slice(0, 50) ?? [],
      overdue: schedule?.overdue.slice(0, 50) ?? [],
      runs: runs.length,
      lag,
      waitsMs,
      stuckAfter: judged.stuckAfter,
      isDue,
      failures: judged.failures,
    },
  };
  return { verdict, carried: judged.carried };
}

async function saidOf(
  { recipientDecisions, people }: ObserverRecords,
  scheduleId: number,
  now: number,
): Promise<JudgeQuestion["said"]> {
  const leavers = await people.leaversOf(scheduleId);
  return {
    decisions: await recipientDecisions.expectedOn(scheduleId, now),
    leavers: leavers.map(({ listed, leftAt }) => ({
      recipient: JSON.parse(listed),
      left: leftAt!,
    })),
  };
}

export function runsAfter(
  stored: readonly StoredRunText[],
  { put, removed }: Pick<HistoryChanges, "put" | "removed">,
): readonly StoredRunText[] {
  if (put.length === 0 && removed.length === 0) return stored;
  const replaced = new Set([...removed, ...put.map(({ id }) => id)]);
  return [
    ...put.map(({ id, start, run }) => ({ id, start, text: JSON.stringify(run) })),
    ...stored.filter(({ id }) => !replaced.has(id)),
  ].sort((a, b) => (b.start ?? -Infinity) - (a.start ?? -Infinity));
}

/** With each further run, an observed lag counts this much less. */
const DECAY = 0.9;
/** A lag that was not observed again for this long is forgotten when a run comes promptly. */
const FORGOTTEN_MS = 20 * 3_600_000;
/** The longest lag that is believed, as a multiple of the usual duration, and its least value. */
const MAX_DURATIONS = 2;
const MIN_BOUND_MS = 120_000;
export const NO_LAG: EntryLag = { lag: null, observed: null, newestStart: null };

/** The lag that new runs show, except those that started before runs that were read earlier. */
export function entryLag(
  runs: readonly Pick<WatchedRun, "start">[],
  { before, polled, asked, everyMs }: {
    readonly before: EntryLag;
    /** When the history that was read last was asked for; null for never. */
    readonly polled: number | null;
    readonly asked: number;
    readonly everyMs: number;
  },
): EntryLag {
  const starts = runs.flatMap(({ start }) => start === null || start > asked ? [] : start);
  const newestStart = Math.max(before.newestStart ?? -Infinity, ...starts);
  let { lag, observed } = before;
  for (const start of starts) {
    if (polled === null || start <= (before.newestStart ?? -Infinity)) continue;
    if (start <= polled) {
      // It had started when the history was last read, but was not listed. After a long time without
      // an answer, only that much is certain.
      const shown = asked - polled <= 2 * everyMs ? asked - start : polled - start;
      lag = Math.max(shown, (lag ?? 0) * DECAY);
      observed = asked;
    } else if (asked - start <= 2 * everyMs) {
      // It was listed soon after its start.
      lag = observed !== null && asked - observed < FORGOTTEN_MS ? (lag ?? 0) * DECAY : 0;
    }
  }
  return { lag, observed, newestStart: Number.isFinite(newestStart) ? newestStart : null };
}

/** The lag to wait for: the observed one, or the usual duration if none was observed yet. */
export function lagToWaitFor(
  seen: number | null,
  usualDuration: number | null,
  isConfirmed: boolean,
): number {
  const bound = Math.max((usualDuration ?? 0) * MAX_DURATIONS, MIN_BOUND_MS);
  // A confirmed grace is taken literally until the service shows that it is too short.
  const lag = seen ?? (isConfirmed ? 0 : usualDuration ?? 0);
  return Math.round(Math.min(lag, bound));
}

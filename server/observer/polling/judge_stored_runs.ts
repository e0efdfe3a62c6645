/** Judges a schedule by its stored runs and the changes that a poll has read. */
import { headline } from "../../../lib/judgement/headline.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { ObserverRecords } from "../../store/observer/observer_records.ts";
import type { LeasedWatch, StoredVerdict } from "../../store/observer/types.ts";
import { latestPlanned, plannedText } from "../../store/observer/planned_text.ts";
import type { StoredRunText } from "../../store/ledger/stored_runs.ts";
import type { IncidentServices } from "../message_steps.ts";
import { entryLag, lagToWaitFor, NO_LAG } from "./entry_lag.ts";
import { onlyExpected } from "./expected_runs.ts";
import type { JudgedRuns, JudgeQuestion } from "./judge.ts";
import type { ServiceAccess } from "./service_access.ts";
import { type HistoryChanges, MAX_RUNS } from "./read_changes.ts";

export interface PollServices extends IncidentServices {
  readonly judge: (question: JudgeQuestion) => Promise<JudgedRuns>;
  /** The shortest time between two polls of a schedule. */
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
    /** When they were asked for before, by the same clock; null for never. */
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

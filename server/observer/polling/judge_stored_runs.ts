/** Judges a schedule by the copies of its runs, as they are after a look has read what is new. */
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { ObserverRecords } from "../../store/observer/observer_records.ts";
import type { WatchedRunText } from "../../store/observer/watched_runs.ts";
import type { LeasedWatch, StoredVerdict } from "../../store/observer/types.ts";
import { entryLag, lagToWaitFor } from "./entry_lag.ts";
import { onlyExpected } from "./expected_runs.ts";
import type { JudgedRuns, JudgeQuestion } from "./judge.ts";
import { type KnownHistory, MOST_RUNS, type News } from "./read_changes.ts";

/** What judging needs. */
export interface JudgingServices {
  readonly records: ObserverRecords;
  readonly judge: (question: JudgeQuestion) => Promise<JudgedRuns>;
  /** The shortest time between two looks at a schedule. */
  readonly everyMs: number;
}

/** The verdict on the copies after a look, of which the observer keeps a part. */
export async function judgeCopies(
  watch: LeasedWatch,
  news: Pick<News, "put" | "removed">,
  { known, before, now }: {
    readonly known: KnownHistory;
    readonly before: StoredVerdict | undefined;
    readonly now: number;
  },
  { records, judge, everyMs }: JudgingServices,
): Promise<StoredVerdict> {
  const { scheduleId, plan, statuses, pauses, polled } = watch;
  const { newest, count } = known;
  const older = newest.length === count
    ? []
    : await records.runs.newestTexts(scheduleId, MOST_RUNS - newest.length, newest.length);
  const copies = [...newest, ...older];
  const ids = new Set(copies.map(({ id }) => id));
  const fresh = news.put.filter(({ id }) => !ids.has(id));
  const runs = copiesAfter(copies, news).slice(0, MOST_RUNS).map(({ text }) => text);
  const judgedRuns = await judge({
    runs: `[${runs.join(",")}]`,
    olderUnread: runs.length >= MOST_RUNS,
    now,
    statuses: statuses ?? defaultStatusDictionary(),
    plan,
    pauses,
  });
  const { verdict, failures, lastSuccess, failing, usualDuration, stuckAfter, clocksMs } =
    judgedRuns;
  const seen = entryLag(fresh, { before: before?.details.entryLag ?? null, polled, now, everyMs });
  const lagMs = lagToWaitFor(seen, usualDuration, plan !== null) + clocksMs;
  const { state, reasons, schedule } = onlyExpected(verdict, { now, lagMs });
  const isDue = reasons.some(({ code, evidence }) => code === "late" && "due" in evidence) ||
    schedule?.counts.overdue !== verdict.schedule?.counts.overdue;
  return {
    scheduleId,
    judged: now,
    holdsUntil: now,
    state,
    planSource: schedule?.source ?? null,
    lastSuccess,
    nextDue: schedule?.next ?? null,
    overdue: schedule?.counts.overdue ?? 0,
    failing,
    details: {
      reasons,
      plan: schedule?.plan ?? null,
      missed: schedule?.missed.slice(0, 50) ?? [],
      overdue: schedule?.overdue.slice(0, 50) ?? [],
      runs: runs.length,
      entryLag: seen,
      waitsMs: lagMs,
      stuckAfter,
      isDue,
      failures,
    },
  };
}

/** The copies with what was read, newest first. */
export function copiesAfter(
  copies: readonly WatchedRunText[],
  { put, removed }: Pick<News, "put" | "removed">,
): readonly WatchedRunText[] {
  if (put.length === 0 && removed.length === 0) return copies;
  const gone = new Set([...removed, ...put.map(({ id }) => id)]);
  return [
    ...put.map(({ id, start, run }) => ({ id, start, text: JSON.stringify(run) })),
    ...copies.filter(({ id }) => !gone.has(id)),
  ].sort((a, b) => (b.start ?? -Infinity) - (a.start ?? -Infinity));
}

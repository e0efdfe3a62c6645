/** Judges a schedule by its stored runs and the changes that a poll read. */
import { isDue } from "../../../lib/judgement/reason.ts";
import { DAY_IN_ANY_ZONE } from "../../../lib/judgement/planned_runs.ts";
import type { JudgeOptions, PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { EARLIEST } from "../../../lib/runs/occurrences.ts";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import type { ObserverRecords } from "../../store/records/observer_records.ts";
import { type EntryLag, NO_LAG, type StoredVerdict } from "../../store/records/verdicts.ts";
import type { LeasedWatch } from "../../store/records/polls.ts";
import type { WatchedRun } from "../../store/runs/store_runs.ts";
import type { StoredRunText, WhichRuns } from "../../store/runs/read_runs.ts";
import type { IncidentServices } from "../message_steps.ts";
import type { JudgedRuns, JudgeQuestion } from "../judging/judging_questions.ts";
import type { ServiceAccess } from "./service_access.ts";
import type { HistoryChanges } from "./read_changes.ts";

export interface PollServices extends IncidentServices {
  readonly judge: (question: JudgeQuestion) => Promise<JudgedRuns>;
  readonly everyMs: number;
  readonly access: ServiceAccess;
  readonly now: () => number;
  /** The IANA name of the zone for times of the service without a zone. */
  readonly zone: string;
  /** The domains of the house; empty or missing if they are not set. */
  readonly inside?: readonly string[];
}

/** Runs of this long are judged, but at least and at most so many. */
const JUDGED_MS = 400 * DAY;
/** The planned runs ahead that a verdict lists are renewed at least this often. */
const LONGEST_HOLD_MS = 12 * HOUR;
const JUDGED_RUNS = { least: 60, most: 10_000 };

export async function judgeStoredRuns(
  watch: LeasedWatch,
  changes: HistoryChanges,
  { before, stored: { unchangedSince }, statuses, now, polled, isLate }: {
    readonly before: StoredVerdict | undefined;
    readonly stored: WhichRuns;
    readonly statuses: StatusDictionary;
    /** When the runs were requested, by the service's clock. */
    readonly now: number;
    readonly polled: number | null;
    readonly isLate: boolean;
  },
  { records, judge, everyMs, inside }: PollServices,
): Promise<StoredVerdict> {
  const { scheduleId, plan, pauses } = watch;
  const since = now - JUDGED_MS;
  const bounds = { ...JUDGED_RUNS, unchangedSince };
  const stored = await records.runs.textsSince(scheduleId, since, bounds);
  const ids = new Set(stored.map(({ id }) => id));
  const added = changes.put.filter(({ id }) => !ids.has(id));
  const runs = runsAfter(stored, changes).slice(0, JUDGED_RUNS.most);
  const lag = entryLag(added, {
    before: before?.details.lag ?? NO_LAG,
    polled,
    requested: now,
    everyMs,
    isLate,
  });
  const judged = await judge({
    runs: `[${runs.map(({ text }) => text).join(",")}]`,
    now,
    statuses,
    plan,
    pauses,
    lag: lag.lag,
    calendar: await records.calendars.daysFor(scheduleId),
    recipientFacts: {
      ...await recipientFactsOf(records, scheduleId, now),
      ...await earlierRuns(records, scheduleId, runs),
      ...inside && inside.length > 0 && { inside },
    },
  });
  const { state, headline, reasons, schedule, planned, changesAt } = judged.verdict;
  return {
    scheduleId,
    judged: now,
    holdsUntil: Math.min(changesAt ?? Infinity, now + LONGEST_HOLD_MS),
    state,
    headline,
    planSource: schedule?.source ?? null,
    lastSuccess: judged.lastSuccess,
    nextDue: schedule?.next ?? null,
    overdue: schedule?.counts.overdue ?? 0,
    failing: judged.failing,
    strip: latestPlanned(planned, now),
    day: planned.filter(({ at }) => at > now - DAY_IN_ANY_ZONE).map(withoutRun),
    people: judged.people,
    reached: judged.reached.join(" "),
    details: {
      reasons,
      plan: schedule?.plan ?? null,
      missed: schedule?.missed.slice(0, 50) ?? [],
      missedCount: schedule?.counts.missed ?? 0,
      overdue: schedule?.overdue.slice(0, 50) ?? [],
      runs: runs.length,
      lag,
      waitsMs: judged.waitsMs,
      stuckAfter: judged.stuckAfter,
      isDue: isDue(reasons),
      repairedBy: judged.repairedBy,
      oldest: judged.oldest,
      meanings: judged.meanings,
    },
  };
}

/** The latest planned runs that are due by now, with the unplanned runs among them. */
function latestPlanned(planned: readonly PlannedRun[], now: number): readonly PlannedRun[] {
  const past = planned.filter(({ at }) => at <= now);
  const first = past.filter(({ outcome }) => !outcome.startsWith("extra")).at(-STRIP_PLANNED);
  return past.filter(({ at }) => at >= (first?.at ?? 0)).slice(-STRIP_MARKS).map(withoutRun);
}

const STRIP_PLANNED = 20;
/** The most marks in a strip, including unplanned runs. */
const STRIP_MARKS = 30;

function withoutRun({ at, outcome }: PlannedRun): PlannedRun {
  return { at, outcome, run: null };
}

/** Whether the statuses of the runs that were judged still mean the same. */
export function hasSameMeanings(
  { details: { meanings = {} } }: Pick<StoredVerdict, "details">,
  statuses: StatusDictionary,
): boolean {
  return Object.entries(meanings).every(([word, was]) => meaningOf(word, statuses) === was);
}

async function recipientFactsOf(
  { recipientDecisions, people }: ObserverRecords,
  scheduleId: number,
  now: number,
): Promise<JudgeQuestion["recipientFacts"]> {
  const leavers = await people.leaversOf(scheduleId);
  return {
    decisions: await recipientDecisions.expectedOn(scheduleId, now),
    leavers: leavers.map(({ userId, listed, leftAt }) => ({
      recipient: { ...JSON.parse(listed), userId },
      left: leftAt!,
    })),
  };
}

/** What is known of the runs before those that are judged; nothing if there are none. */
async function earlierRuns(
  { runs, people, receipts }: ObserverRecords,
  scheduleId: number,
  judged: readonly StoredRunText[],
): Promise<Pick<JudgeOptions, "before">> {
  const oldest = judged.findLast(({ start }) => start !== null && start >= EARLIEST)?.start;
  const firstStart = await runs.firstStart(scheduleId, EARLIEST);
  if (!oldest || firstStart === null || firstStart >= oldest) return {};
  if ((await receipts.uncounted()).includes(scheduleId)) await receipts.count(scheduleId);
  const recipients = await people.receivedBefore(scheduleId, oldest);
  return { before: { firstStart, recipients } };
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

/** Each further run reduces an observed lag by this factor. */
const DECAY = 0.9;
/** A lag that was not observed again for this long is reset when a run is listed promptly. */
const RESET_MS = 20 * 3_600_000;

/**
 * The lag in listing new runs. Ignores runs that started before others that were read earlier, or
 * before a late poll: whatever stopped the observer may have delayed the runs.
 */
export function entryLag(
  runs: readonly Pick<WatchedRun, "start">[],
  { before, polled, requested, everyMs, isLate }: {
    readonly before: EntryLag;
    /** When the previous history was requested; null for never. */
    readonly polled: number | null;
    readonly requested: number;
    readonly everyMs: number;
    readonly isLate: boolean;
  },
): EntryLag {
  const starts = runs.flatMap(({ start }) => start === null || start > requested ? [] : start);
  const known = before.ignoredUntil ?? -Infinity;
  const ignoredUntil = isLate ? requested : Math.max(known, ...starts);
  let { lag, observed } = before;
  for (const start of starts) {
    if (polled === null || start <= known) continue;
    if (start <= polled) {
      // It had started at the previous poll, but was not listed. If that was long ago, it may have
      // been listed soon after that poll.
      const seen = requested - polled <= 2 * everyMs ? requested - start : polled - start;
      lag = Math.max(seen, (lag ?? 0) * DECAY);
      observed = requested;
    } else if (requested - start <= 2 * everyMs) {
      // It was listed soon after its start.
      lag = observed !== null && requested - observed < RESET_MS ? (lag ?? 0) * DECAY : 0;
    }
  }
  return { lag, observed, ignoredUntil: Number.isFinite(ignoredUntil) ? ignoredUntil : null };
}

/** The latest planned runs and what became of each, with the runs that nobody planned. */
import type { ReportRun } from "../types.ts";
import type { Occurrence, TimedRun } from "../runs/occurrences.ts";
import { meaningOf, type StatusDictionary } from "../runs/status.ts";
import type { JudgedSlot, JudgedSlots } from "./slots.ts";

/** A planned run, or one that nobody planned. */
export interface PlannedRun {
  /** When it was planned, or when it started if nobody planned it; in milliseconds since 1970. */
  readonly at: number;
  /**
   * What became of it.
   *
   * - `met`: it succeeded in time; `late`: it succeeded, and started after its grace.
   * - `failed`; `other`: it ended with a status that is neither good nor bad.
   * - `missed`: it did not start, but a later one did; `overdue`: nor did a later one.
   * - `by-hand`: a person started it instead of the schedule.
   * - `excused`: nothing was expected, as during a pause.
   * - `due`: it may still start in time, or has not ended.
   * - `extra` and `extra-failed`: a run that nobody planned.
   */
  readonly outcome:
    | "met"
    | "late"
    | "failed"
    | "other"
    | "missed"
    | "overdue"
    | "by-hand"
    | "excused"
    | "due"
    | "extra"
    | "extra-failed";
  /** The id of its last run; null if nothing ran. */
  readonly run: number | null;
}

export type PlannedOutcome = PlannedRun["outcome"];

/** At most this many of the latest planned runs are listed, and all of about a day in any zone. */
const LATEST = 60;
const MOST = 1500;
const DAY_IN_ANY_ZONE = 26 * 3_600_000;
/** Without a plan, this many of the latest runs are listed. */
const LATEST_UNPLANNED = 20;

/** The latest planned runs, oldest first, with the runs among them that nobody planned. */
export function plannedRuns(
  { judged, timed, statuses, now, newerUnread }: {
    readonly judged: Pick<JudgedSlots<ReportRun>, "slots">;
    readonly timed: readonly TimedRun<ReportRun>[];
    readonly statuses: StatusDictionary;
    readonly now: number;
    readonly newerUnread: boolean;
  },
): readonly PlannedRun[] {
  const { slots } = judged;
  const today = slots.findIndex(({ at }) => at >= now - DAY_IN_ANY_ZONE);
  const first = Math.min(slots.length - LATEST, today < 0 ? Infinity : today);
  const latest = slots.slice(Math.max(0, first, slots.length - MOST));
  const planned = latest.map((slot): PlannedRun => ({
    at: slot.at,
    outcome: outcomeOf(slot, statuses, newerUnread),
    run: slot.occurrence?.runs.at(-1)?.id ?? null,
  }));
  return [...planned, ...extraRuns(latest, timed, statuses)].sort((a, b) => a.at - b.at);
}

function outcomeOf(
  { outcome, occurrence }: JudgedSlot<ReportRun>,
  statuses: StatusDictionary,
  newerUnread: boolean,
): PlannedOutcome {
  if (occurrence === null) {
    if (outcome === "met") return "excused";
    return outcome === "missed" || outcome === "overdue" && !newerUnread ? outcome : "due";
  }
  const meaning = meaningOfAll(occurrence, statuses);
  if (meaning === "bad") return "failed";
  if (meaning === "neutral") return occurrence.runs.at(-1)!.endTime ? "other" : "due";
  if (outcome === "made-up") return "by-hand";
  return outcome === "late" ? "late" : "met";
}

/** One success is enough, such as that of a retry. */
function meaningOfAll({ runs }: Occurrence<ReportRun>, statuses: StatusDictionary) {
  const meanings = runs.map(({ status }) => meaningOf(status, statuses));
  return meanings.includes("good") ? "good" : meanings.at(-1)!;
}

function extraRuns(
  latest: readonly JudgedSlot<ReportRun>[],
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): PlannedRun[] {
  const expected = new Set(latest.flatMap(({ occurrence }) => occurrence?.runs ?? []));
  const [since] = latest;
  // A run may start a little before its time.
  const candidates = since === undefined
    ? timed.slice(-LATEST_UNPLANNED)
    : timed.slice(-MOST).filter(({ time }) => time > since.at);
  return candidates.filter(({ run }) => !expected.has(run)).map(({ run, time }) => ({
    at: time,
    outcome: meaningOf(run.status, statuses) === "bad" ? "extra-failed" : "extra",
    run: run.id,
  }));
}

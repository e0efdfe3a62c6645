import type { TimedRun } from "../runs/occurrences.ts";
import { HOUR, MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { graceEndOf, type Plan } from "./plans/plan.ts";
import type { JudgedSlot } from "./slots.ts";

/** A planned run, or one that nobody planned. */
export interface PlannedRun {
  /** When it was planned, or when it started if nobody planned it; in milliseconds since 1970. */
  readonly at: number;
  /**
   * What became of it.
   *
   * - `met`: it started on time and succeeded; `late`: it succeeded, but started after its grace.
   * - `failed`; `other`: it ended with a status that is neither good nor bad.
   * - `missed`: it did not start, but a later one did; `overdue`: nor did a later one.
   * - `by-hand`: a person started it instead of the schedule.
   * - `excused`: nothing was expected, as during a pause.
   * - `due`: it may still start on time; `running`: it has started, and not ended.
   * - `extra`, `extra-failed` and `extra-other`: a run that nobody planned.
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
    | "running"
    | "extra"
    | "extra-failed"
    | "extra-other";
  /** The id of its last run; null if nothing ran. */
  readonly run: number | null;
}

export type PlannedOutcome = PlannedRun["outcome"];

/** This many of the latest planned runs are listed, or all of about a day if those are more. */
export const LATEST = 60;
export const DAY_IN_ANY_ZONE: number = 26 * HOUR;
/** But never more than this many. */
const MAX_PLANNED = 1500;
/** Without a plan, this many of the latest runs are listed. */
const LATEST_UNPLANNED = 20;

/** The latest planned runs, oldest first, with the runs among them that nobody planned. */
export function plannedRuns(
  slots: readonly JudgedSlot<ReportRun>[],
  timed: readonly TimedRun<ReportRun>[],
  { now, newerUnread, open }: {
    readonly now: number;
    readonly newerUnread: boolean;
    readonly open: readonly TimedRun<ReportRun>[];
  },
): readonly PlannedRun[] {
  const today = slots.findIndex(({ at }) => at >= now - DAY_IN_ANY_ZONE);
  const first = Math.min(slots.length - LATEST, today < 0 ? Infinity : today);
  const latest = slots.slice(Math.max(0, first, slots.length - MAX_PLANNED));
  const planned = latest.map((slot): PlannedRun => ({
    at: slot.at,
    outcome: toOutcome(slot, newerUnread, open),
    run: slot.runs.at(-1)?.run.id ?? null,
  }));
  return [...planned, ...extraRuns(latest, timed)].sort((a, b) => a.at - b.at);
}

function toOutcome(
  { outcome, runs }: JudgedSlot<ReportRun>,
  newerUnread: boolean,
  open: readonly TimedRun<ReportRun>[],
): PlannedOutcome {
  const last = runs.at(-1);
  if (last === undefined) {
    if (outcome === "met") return "excused";
    return outcome === "missed" || outcome === "overdue" && !newerUnread ? outcome : "due";
  }
  // One success is enough, such as that of a retry.
  if (runs.some(({ meaning }) => meaning === "good")) {
    return outcome === "late" || outcome === "by-hand" ? outcome : "met";
  }
  return last.meaning === "bad" ? "failed" : open.includes(last) ? "running" : "other";
}

function extraRuns(
  latest: readonly JudgedSlot<ReportRun>[],
  timed: readonly TimedRun<ReportRun>[],
): PlannedRun[] {
  const expected = new Set(latest.flatMap(({ runs }) => runs));
  const [since] = latest;
  // A run may start a little before its time.
  const candidates = since === undefined
    ? timed.slice(-LATEST_UNPLANNED)
    : timed.slice(-MAX_PLANNED).filter(({ time }) => time > since.at);
  return candidates.filter((timedRun) => !expected.has(timedRun)).map(({ run, time, meaning }) => ({
    at: time,
    outcome: meaning === "good" ? "extra" : meaning === "bad" ? "extra-failed" : "extra-other",
    run: run.id,
  }));
}

/**
 * How a gap ended: its first run `started` late; or it started in time, but was `listed` only when the
 * incident was resolved; or it is `unplanned` now, as after a change of plan. A change is `past`: over,
 * or usual by now. Of what is `unwatched`, nobody knows.
 */
export type Ending =
  | {
    readonly how: "started" | "listed";
    readonly due: number;
    readonly at: number;
    /** Whether it succeeded. */
    readonly isGood: boolean;
  }
  | { readonly how: "unplanned" | "past" | "unwatched" };

/**
 * How the gap ended whose first planned run was due at a time; null if it has not, or is not known.
 *
 * @param planned The latest planned runs, oldest first.
 * @param starts When the newest runs started, in any order.
 */
export function gapEnding(
  due: number,
  { plan, planned, starts }: {
    readonly plan: Plan | null;
    readonly planned: readonly Pick<PlannedRun, "at" | "outcome">[];
    readonly starts: readonly number[];
  },
): Ending | null {
  const known = planned.filter(({ outcome }) => !outcome.startsWith("extra"));
  const own = known.find(({ at }) => at === due);
  if (!own) return known.length === 0 || known[0].at < due ? { how: "unplanned" } : null;
  if (own.outcome === "excused") return { how: "unplanned" };
  // A run may start a little early.
  const at = Math.min(...starts.filter((start) => start >= due - MINUTE));
  const hasCome = !["missed", "overdue"].includes(own.outcome) && Number.isFinite(at);
  if (!hasCome || plan === null) return null;
  const how = at > graceEndOf(plan, due) ? "started" : "listed";
  return { how, due, at, isGood: ["met", "late", "by-hand"].includes(own.outcome) };
}

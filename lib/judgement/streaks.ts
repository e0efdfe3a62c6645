/** Streaks of runs that failed or have an unknown status. Streaks of earlier runs are carried. */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import type { StatusDictionary } from "../runs/status.ts";

interface RunStreak {
  readonly since: number;
  readonly count: number;
}

/** The streaks at the end of some runs: plain JSON. */
export interface Streaks {
  readonly failing: RunStreak | null;
  readonly lastGood: number | null;
  /** Runs with an unknown status, and whether earlier runs had a known one. */
  readonly unknown: RunStreak & { readonly isNew: boolean } | null;
  /** The newest run: its start and its id. */
  readonly until: readonly [time: number, id: number];
}

/** This many runs before a streak show whether its status is new; fewer than three show nothing. */
const KNOWN_BEFORE = 50;
const MIN_BEFORE = 3;
/** A status is new if at most this share of those runs had it. */
const RARE = 0.05;

export function streaksOf(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
  before: Streaks | undefined,
): Streaks | undefined {
  const newest = timed.at(-1);
  if (!newest) return before;
  const isUnknown = ({ run: { status } }: TimedRun<ReportRun>) =>
    !!status && !Object.hasOwn(statuses, status.toLowerCase());
  // A run without a status may still be going.
  const isKnown = (timedRun: TimedRun<ReportRun>) =>
    !isUnknown(timedRun) && Boolean(timedRun.run.status || timedRun.run.endTime);
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  const afterKnown = timed.findLastIndex(isKnown) + 1;
  const unknown = streakFrom(afterKnown, timed, isUnknown, before, "unknown");
  return {
    failing: streakFrom(lastGood + 1, timed, ({ meaning }) => meaning === "bad", before, "failing"),
    lastGood: timed[lastGood]?.time ?? before?.lastGood ?? null,
    unknown: unknown && {
      ...unknown,
      isNew: before?.unknown?.since === unknown.since
        ? before.unknown.isNew
        : isNew(timed.findLast(isUnknown)!.run, timed.slice(0, afterKnown)),
    },
    until: [newest.time, newest.run.id],
  };
}

/** The streak of runs from an index on; at the first run, it continues that of earlier runs. */
function streakFrom(
  first: number,
  timed: readonly TimedRun<ReportRun>[],
  belongs: (timedRun: TimedRun<ReportRun>) => boolean,
  before: Streaks | undefined,
  name: "failing" | "unknown",
): RunStreak | null {
  const members = timed.slice(first).filter(belongs);
  const earlier = first === 0 ? before?.[name] : null;
  if (earlier) {
    const [until, lastId] = before!.until;
    const later = members.filter(({ time, run }) =>
      time > until || time === until && run.id > lastId
    );
    return { since: earlier.since, count: earlier.count + later.length };
  }
  return members.length === 0 ? null : { since: members[0].time, count: members.length };
}

/** Whether hardly any of the runs before had the status of a run. */
function isNew({ status }: ReportRun, before: readonly TimedRun<ReportRun>[]): boolean {
  const newest = before.slice(-KNOWN_BEFORE);
  const alike = newest.filter(({ run }) => run.status?.toLowerCase() === status!.toLowerCase());
  return newest.length >= MIN_BEFORE && alike.length <= RARE * newest.length;
}

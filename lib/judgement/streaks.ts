/** Streaks of runs that failed, or ended with an unknown status. Streaks of earlier runs are carried. */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";

interface RunStreak {
  readonly since: number;
  readonly count: number;
}

/** The streaks at the end of some runs: plain JSON. */
export interface Streaks {
  readonly failing: RunStreak | null;
  readonly lastGood: number | null;
  /** The newest runs that are over, as far as nobody knows how they ended. */
  readonly unknown: RunStreak | null;
  /** The newest run: its start and its id. */
  readonly until: readonly [time: number, id: number];
}

export function streaksOf(
  timed: readonly TimedRun<ReportRun>[],
  open: readonly TimedRun<ReportRun>[],
  before: Streaks | undefined,
): Streaks | undefined {
  const newest = timed.at(-1);
  if (!newest) return before;
  const isKnown = ({ meaning }: TimedRun<ReportRun>) => meaning === "good" || meaning === "bad";
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  const afterKnown = timed.findLastIndex(isKnown) + 1;
  const isUnknown = (timedRun: TimedRun<ReportRun>) =>
    !isKnown(timedRun) && !open.includes(timedRun);
  return {
    failing: streakFrom(lastGood + 1, timed, ({ meaning }) => meaning === "bad", before, "failing"),
    lastGood: timed[lastGood]?.time ?? before?.lastGood ?? null,
    unknown: streakFrom(afterKnown, timed, isUnknown, before, "unknown"),
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

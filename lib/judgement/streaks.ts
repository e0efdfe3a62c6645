/** The newest runs in a row that failed, or that ended with an unknown status. */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";

export interface Streaks {
  /** Those that failed since the last success, oldest first. */
  readonly failing: readonly TimedRun<ReportRun>[];
  /** When the last success started; null if none is known. */
  readonly lastGood: number | null;
  /** Those that are over since the last one of which it is known how it ended, oldest first. */
  readonly unknown: readonly TimedRun<ReportRun>[];
}

export function streaksOf(
  timed: readonly TimedRun<ReportRun>[],
  open: readonly TimedRun<ReportRun>[],
): Streaks {
  const isKnown = ({ meaning }: TimedRun<ReportRun>) => meaning === "good" || meaning === "bad";
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  const lastKnown = timed.findLastIndex(isKnown);
  return {
    failing: timed.slice(lastGood + 1).filter(({ meaning }) => meaning === "bad"),
    lastGood: timed[lastGood]?.time ?? null,
    unknown: timed.slice(lastKnown + 1).filter((timedRun) => !open.includes(timedRun)),
  };
}

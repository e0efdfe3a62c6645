/** Finds runs that seem to start in the future. Carried on, so that a skew is one incident. */
import { DAY, MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import type { TimedRuns } from "../runs/occurrences.ts";
import { timeOf } from "../runs/times.ts";
import { MAX_NAMED_RUNS } from "./reason.ts";

const MIN_AHEAD = 2 * MINUTE;
/** A start further ahead is wrong for another reason than a clock that is ahead. */
const MAX_AHEAD = DAY;
/** A skew is over after this many runs in a row without it. */
const OVER_AFTER = 3;

/** The skew of a schedule's clock, as the runs so far show it: plain JSON. */
export interface Skew {
  /** When the newest of these runs started. */
  readonly until: number;
  /** When the first run with the skew started; null if there is no skew. */
  readonly since: number | null;
  /** The newest runs with it, oldest first, and how far ahead the last of them was. */
  readonly runs: readonly number[];
  readonly aheadMs: number;
  /** How many runs in a row since then had no skew. */
  readonly without: number;
}

export function skewOf(
  { timed, impossible }: TimedRuns<ReportRun>,
  now: number,
  before: Skew = { until: 0, since: null, runs: [], aheadMs: 0, without: 0 },
): Skew {
  let skew = before;
  const started = timed.slice(timed.findLastIndex(({ time }) => time <= before.until) + 1);
  const ahead = impossible.map((run) => ({ run, time: timeOf(run.startTime)! }))
    .filter(({ time }) => time > Math.max(now, before.until) && time < now + MAX_AHEAD)
    .sort((a, b) => a.time - b.time);
  for (const { run: { id }, time } of [...started, ...ahead]) {
    const aheadMs = time - now;
    if (aheadMs >= MIN_AHEAD) {
      const ids = [...skew.runs, id].slice(-MAX_NAMED_RUNS);
      skew = { until: time, since: skew.since ?? time, runs: ids, aheadMs, without: 0 };
    } else if (skew.without + 1 >= OVER_AFTER) {
      skew = { until: time, since: null, runs: [], aheadMs: 0, without: 0 };
    } else skew = { ...skew, until: time, without: skew.without + 1 };
  }
  return skew;
}

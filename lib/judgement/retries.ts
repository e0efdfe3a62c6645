/** Learns how soon failures are usually repaired: one that may be yet is sent only after that. */
import { MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";

/** This many runs before a failure show how earlier failures were repaired. */
const REPAIRED_RUNS = 400;
/** A repair that takes longer is not quick. */
const LONGEST_REPAIR = 30 * MINUTE;
/** The next repair may take longer than any before, and its run is listed only after a while. */
const MARGIN = 1.1;
const LISTING = MINUTE;

/**
 * Until when the current failure may still be repaired: a success within half an hour followed at
 * least half of the earlier ones. Null if nothing fails, or if that was not so; runs sorted by time.
 */
export function repairedBy(timed: readonly TimedRun<ReportRun>[]): number | null {
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  const after = timed.slice(lastGood + 1).findIndex(({ meaning }) => meaning === "bad");
  if (after < 0) return null;
  const failure = lastGood + 1 + after;
  let failedAt: number | null = null;
  let [outages, repairs, longest] = [0, 0, 0];
  for (const run of timed.slice(Math.max(0, failure - REPAIRED_RUNS), failure)) {
    if (run.meaning === "bad") failedAt ??= endTime(run);
    // People have to be notified of what they repair by hand.
    if (run.meaning !== "good" || run.run.automated === false || failedAt === null) continue;
    const ms = endTime(run) - failedAt;
    failedAt = null;
    outages++;
    if (ms > LONGEST_REPAIR) continue;
    repairs++;
    longest = Math.max(longest, ms);
  }
  if (repairs === 0 || repairs * 2 < outages) return null;
  return Math.ceil(endTime(timed[failure]) + longest * MARGIN) + LISTING;
}

function endTime({ time, ms = 0 }: TimedRun<ReportRun>): number {
  return time + ms;
}

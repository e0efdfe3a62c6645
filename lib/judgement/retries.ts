/** Learns how long a retry usually takes to repair a failure, which is reported only after that. */
import { MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { type Occurrences, occurrencesOf, type TimedRun } from "../runs/occurrences.ts";

/** This many runs before a failure show how earlier failures were repaired. */
export const RETRIED_RUNS = 400;
/** A repair that takes longer is not quick. */
const LONGEST_REPAIR = 30 * MINUTE;
/** The next repair may take longer than any before, and its run is listed only after a while. */
const MARGIN = 1.1;
const LISTING = MINUTE;
/** Occasional failures are over after this many runs in a row without one. */
const WELL_AGAIN = 60;
/** Failures alternate if, among this many newest runs, there is a success between two of them. */
const ALTERNATING_RUNS = 5;

export interface FailurePattern {
  /**
   * Until when a retry may still repair the current failure. Null if nothing fails, or if retries
   * repaired less than half of the earlier failures within half an hour.
   */
  readonly retryUntil: number | null;
  /** Whether one of the newest runs failed, so an incident for occasional failures stays open. */
  readonly failedLately: boolean;
  /** When the first of alternating failures among the newest runs started; null if there are none. */
  readonly alternatesSince: number | null;
}

export const NO_FAILURES: FailurePattern = {
  retryUntil: null,
  failedLately: false,
  alternatesSince: null,
};

/** How failures were repaired before the current one, from runs sorted by time. */
export function failurePattern(timed: readonly TimedRun<ReportRun>[]): FailurePattern {
  const failedLately = timed.slice(-WELL_AGAIN).some(({ meaning }) => meaning === "bad");
  const alternatesSince = alternationOf(timed.slice(-ALTERNATING_RUNS));
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  const failure = timed.findIndex(({ meaning }, at) => at > lastGood && meaning === "bad");
  if (failure < 0) return { retryUntil: null, failedLately, alternatesSince };
  // Only earlier failures show how one is repaired.
  const { planned } = occurrencesOf(timed.slice(Math.max(0, failure - RETRIED_RUNS), failure));
  return { retryUntil: retryUntil(planned, endOf(timed[failure])), failedLately, alternatesSince };
}

/** When the first of several failures started, if there is a success between them. */
function alternationOf(timed: readonly TimedRun<ReportRun>[]): number | null {
  const first = timed.findIndex(({ meaning }) => meaning === "bad");
  const repaired = timed.findIndex(({ meaning }, at) => at > first && meaning === "good");
  const isAgain = timed.some(({ meaning }, at) => at > repaired && meaning === "bad");
  return first >= 0 && repaired >= 0 && isAgain ? timed[first].time : null;
}

function endOf({ time, ms = 0 }: TimedRun<ReportRun>): number {
  return time + ms;
}

/** Until when a retry may still repair a failure that ended at a time, judging by earlier ones. */
function retryUntil(
  planned: Occurrences<ReportRun>["planned"],
  failedAt: number,
): number | null {
  let [failures, repaired, longest] = [0, 0, 0];
  for (const runs of planned) {
    const failed = runs.find(({ meaning }) => meaning === "bad");
    if (!failed) continue;
    failures++;
    const last = runs[runs.length - 1];
    const repair = endOf(last) - endOf(failed);
    if (last.meaning !== "good" || repair > LONGEST_REPAIR) continue;
    repaired++;
    longest = Math.max(longest, repair);
  }
  if (repaired === 0 || repaired * 2 < failures) return null;
  return Math.ceil(failedAt + longest * MARGIN) + LISTING;
}

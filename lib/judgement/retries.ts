/** How a schedule repairs its failures: what a quick retry usually repairs is reported late. */
import type { ReportRun } from "../types.ts";
import { type Occurrences, occurrencesOf, type TimedRun } from "../runs/occurrences.ts";

const MINUTE = 60_000;
/** This many runs before a failure show how failures were repaired. */
export const RETRIED_RUNS = 400;
/** A repair that takes longer is not quick. */
const LONGEST_REPAIR = 30 * MINUTE;
/** The next repair may take longer than any before, and its run is listed only after a while. */
const MARGIN = 1.1;
const LISTING = MINUTE;
/** Occasional failures are over after this many runs in a row without one. */
export const WELL_AGAIN = 60;
/** Failures that come and go are over once only one of this many runs failed, or some in a row. */
const ALTERNATING_RUNS = 5;

export interface FailurePattern {
  /**
   * Until when a retry may repair the current failure by itself: null if nothing fails, or if
   * less than half of the earlier failures were repaired within half an hour by a retry.
   */
  readonly retryUntil: number | null;
  /** Whether a newest run failed: then an incident for occasional failures stays open. */
  readonly failedLately: boolean;
  /** If failures come and go: the start of an earlier one among the last few runs; else null. */
  readonly alternatesSince: number | null;
}

export const NO_FAILURES: FailurePattern = {
  retryUntil: null,
  failedLately: false,
  alternatesSince: null,
};

/** What failures mean for the current one; of runs sorted by time, the 400 before it count. */
export function failurePattern(timed: readonly TimedRun<ReportRun>[]): FailurePattern {
  const failedLately = timed.slice(-WELL_AGAIN).some(({ meaning }) => meaning === "bad");
  const alternatesSince = alternationOf(timed.slice(-ALTERNATING_RUNS));
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  const place = timed.findIndex(({ meaning }, at) => at > lastGood && meaning === "bad");
  if (place < 0) return { retryUntil: null, failedLately, alternatesSince };
  // Runs since the failure show nothing about earlier ones.
  const before = timed.slice(Math.max(0, place - RETRIED_RUNS), place);
  const { planned } = occurrencesOf(before);
  return { retryUntil: retryUntil(planned, endOf(timed[place])), failedLately, alternatesSince };
}

/** When the first of several failures started, if there was a success between them. */
function alternationOf(timed: readonly TimedRun<ReportRun>[]): number | null {
  const first = timed.findIndex(({ meaning }) => meaning === "bad");
  const repaired = timed.findIndex(({ meaning }, at) => at > first && meaning === "good");
  const isAgain = timed.some(({ meaning }, at) => at > repaired && meaning === "bad");
  return first >= 0 && repaired >= 0 && isAgain ? timed[first].time : null;
}

function endOf({ time, ms = 0 }: TimedRun<ReportRun>): number {
  return time + ms;
}

/** Until when a retry may still repair a failure that ended at a time, going by earlier ones. */
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

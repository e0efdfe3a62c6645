/**
 * How a schedule repairs its failures: if a quick retry usually does, a failure is reported only if
 * no retry has repaired it.
 */
import type { ReportRun } from "../types.ts";
import { firstRuns, type TimedRun } from "../runs/occurrences.ts";
import { meaningOf, type StatusDictionary } from "../runs/status.ts";

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

/** What earlier failures mean for the current one. */
export interface FailurePattern {
  /**
   * Until when a retry may still repair the current failure by itself: the end of the first failed
   * run, plus the longest repair of this schedule. Null if nothing fails, or if less than half of
   * the earlier failures were repaired within half an hour by a run that nobody started by hand.
   */
  readonly retryUntil: number | null;
  /** Whether a newest run failed: then an incident for occasional failures stays open. */
  readonly failedLately: boolean;
}

/** Nothing is known of earlier failures. */
export const NO_FAILURES: FailurePattern = { retryUntil: null, failedLately: false };

/** What failures mean for the current one; of runs sorted by time, the 400 before it count. */
export function failurePattern(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): FailurePattern {
  const isBad = ({ status }: ReportRun) => meaningOf(status, statuses) === "bad";
  const failedLately = timed.slice(-WELL_AGAIN).some(({ run }) => isBad(run));
  const place = firstFailure(timed, statuses);
  if (place === null) return { retryUntil: null, failedLately };
  // Runs since the failure show nothing about earlier ones.
  const before = timed.slice(Math.max(0, place - RETRIED_RUNS), place);
  const isAutomatic = before.some(({ run }) => run.automated === true);
  const started = isAutomatic ? before.filter(({ run }) => run.automated === true) : before;
  const { time, ms = 0 } = timed[place];
  return { retryUntil: retryUntil(outcomesOf(started, statuses), time + ms), failedLately };
}

/** When the runs that a schedule started began and ended, and whether they failed, oldest first. */
export interface Outcomes {
  readonly times: Float64Array;
  readonly ends: Float64Array;
  /** 1 if it is so, otherwise 0. */
  readonly failed: Uint8Array;
  readonly good: Uint8Array;
}

/** The outcomes of runs sorted by time. */
export function outcomesOf(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): Outcomes {
  const meanings = timed.map(({ run }) => meaningOf(run.status, statuses));
  return {
    times: Float64Array.from(timed, ({ time }) => time),
    ends: Float64Array.from(timed, ({ time, ms = 0 }) => time + ms),
    failed: Uint8Array.from(meanings, (meaning) => +(meaning === "bad")),
    good: Uint8Array.from(meanings, (meaning) => +(meaning === "good")),
  };
}

/**
 * Until when a retry may still repair a failure by itself, going by the runs before it; null if
 * less than half of the earlier failures were repaired so.
 *
 * @param failedAt When the failed run ended.
 */
export function retryUntil(
  { times, ends, failed, good }: Outcomes,
  failedAt: number,
): number | null {
  const first = firstRuns(times, failed);
  let [failures, repaired, longest] = [0, 0, 0];
  for (let at = 0; at < first.length; at++) {
    const last = (first[at + 1] ?? times.length) - 1;
    let place = first[at];
    while (place <= last && failed[place] === 0) place++;
    if (place > last) continue;
    failures++;
    const repair = ends[last] - ends[place];
    if (good[last] === 0 || repair > LONGEST_REPAIR) continue;
    repaired++;
    longest = Math.max(longest, repair);
  }
  if (repaired === 0 || repaired * 2 < failures) return null;
  return Math.ceil(failedAt + longest * MARGIN) + LISTING;
}

/** The index of the first failure in the current streak; null if the newest run did not fail. */
function firstFailure(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): number | null {
  let first: number | null = null;
  for (let at = timed.length - 1; at >= 0; at--) {
    const meaning = meaningOf(timed[at].run.status, statuses);
    if (meaning === "good") break;
    if (meaning === "bad") first = at;
  }
  return first;
}

/**
 * How a schedule repairs its failures: where a quick retry usually does, a failure is news only when
 * no retry has repaired it.
 *
 * @module
 */
import type { ReportRun } from "../../types.ts";
import { occurrencesOf, runsInTime, type TimedRun } from "../occurrences.ts";
import { meaningOf, type StatusDictionary } from "../status.ts";
import { timeOf } from "../times.ts";

const MINUTE = 60_000;

/** Of so many of the newest runs it is asked how failures were repaired. */
export const RETRIED_RUNS = 400;
/** A repair that takes longer is not quick. */
const LONGEST_REPAIR = 30 * MINUTE;
/** The longest repair that was seen is exceeded now and then, and takes a while to be listed. */
const MARGIN = 1.1;
const LISTING = MINUTE;

/** A schedule fails now and then until so many in a row did not. */
export const WELL_AGAIN = 60;

/** What earlier failures say of the present. */
export interface FailurePattern {
  /**
   * Until when a retry may still repair the present failure without anybody: the end of the first run
   * that failed, and the longest repair that this schedule has shown. Null where nothing fails, or
   * where less than half of the failures before were repaired within half an hour by a run that nobody
   * started by hand.
   */
  readonly retryUntil: number | null;
  /** Whether any of the newest failed: what opened for failing now and then ends only without. */
  readonly failedLately: boolean;
}

/** Nothing is known of earlier failures. */
export const NO_FAILURES: FailurePattern = { retryUntil: null, failedLately: false };

/**
 * What the failures of the newest runs say of the present.
 *
 * @param runs The runs, in any order, each id once; the newest 400 count.
 * @param options What statuses mean, and the present in milliseconds since 1970.
 */
export function failurePattern(
  runs: readonly ReportRun[],
  { statuses, now }: { readonly statuses: StatusDictionary; readonly now: number },
): FailurePattern {
  const timed = runsInTime(runs, now).timed.slice(-RETRIED_RUNS);
  const { planned } = occurrencesOf(timed, statuses);
  const isBad = ({ status }: ReportRun) => meaningOf(status, statuses) === "bad";
  const failedLately = planned.slice(-WELL_AGAIN).some(({ runs }) => runs.some(isBad));
  const first = firstFailure(timed, statuses);
  if (!first) return { retryUntil: null, failedLately };
  let failures = 0;
  let longest: number | null = null;
  let repaired = 0;
  for (const { time, runs } of planned) {
    if (time >= first.time) break;
    const failed = runs.find(isBad);
    if (!failed) continue;
    failures++;
    const last = runs.at(-1)!;
    const repair = endOf(last) - endOf(failed);
    if (meaningOf(last.status, statuses) !== "good" || repair > LONGEST_REPAIR) continue;
    repaired++;
    longest = Math.max(longest ?? 0, repair);
  }
  const retryUntil = longest === null || repaired * 2 < failures
    ? null
    : Math.ceil(endOf(first.run) + longest * MARGIN) + LISTING;
  return { retryUntil, failedLately };
}

/** The first of the newest runs that failed in a row, or null where the newest did not fail. */
function firstFailure(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): TimedRun<ReportRun> | null {
  let first: TimedRun<ReportRun> | null = null;
  for (let at = timed.length - 1; at >= 0; at--) {
    const meaning = meaningOf(timed[at].run.status, statuses);
    if (meaning === "good") break;
    if (meaning === "bad") first = timed[at];
  }
  return first;
}

function endOf(run: ReportRun): number {
  return timeOf(run.endTime) ?? timeOf(run.startTime)!;
}

/** What a schedule really started: runs without impossible clocks, twins and retries. */
import type { ReportRun } from "../types.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { timeOf } from "./times.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 366 * DAY;

/**
 * The clocks of two machines may differ by this much. If each run of a schedule seemed to start in
 * the future for some minutes, each would be an incident.
 */
const CLOCK_TOLERANCE = 10 * MINUTE;
const EARLIEST = Date.UTC(2000, 0, 1);
/** Runs that start within this time of each other are twins. */
const TWIN = 2 * MINUTE;
/** A run that follows a failure within this time may be its retry. */
const RETRY = 30 * MINUTE;

/** A run with its time. */
export interface TimedRun<Run> {
  readonly run: Run;
  readonly time: number;
  /** How long it took, see `durationOf`. */
  readonly ms: number | undefined;
}

/** Runs sorted by time, and those whose clock can't be right. */
export interface TimedRuns<Run> {
  /** Oldest first, ties by id. */
  readonly timed: readonly TimedRun<Run>[];
  /** Runs with an impossible start, in the order of their ids. */
  readonly impossible: readonly Run[];
}

/**
 * Sorts runs by time. A start in the future, before 2000, or years from nearly all others is
 * impossible.
 *
 * @param runs The runs, in any order, each id once.
 * @param now The current time, in milliseconds since 1970.
 * @returns The runs with a possible start, and those with an impossible one.
 */
export function runsInTime<Run extends ReportRun>(
  runs: readonly Run[],
  now: number,
): TimedRuns<Run> {
  return withoutStrays(runsByTime(runs, now));
}

/** The same, without checking how far a start is from the others. */
export function runsByTime<Run extends ReportRun>(
  runs: readonly Run[],
  now: number,
): TimedRuns<Run> {
  const timed: TimedRun<Run>[] = [];
  const impossible: Run[] = [];
  for (const run of runs) {
    const time = timeOf(run.startTime);
    if (time === undefined) continue;
    if (time > now + CLOCK_TOLERANCE || time < EARLIEST) impossible.push(run);
    else {
      const end = timeOf(run.endTime);
      timed.push({ run, time, ms: end === undefined ? undefined : end - time });
    }
  }
  timed.sort((a, b) => a.time - b.time || a.run.id - b.run.id);
  return { timed, impossible };
}

/** Moves the few runs that are years from all others to the impossible ones. */
export function withoutStrays<Run extends ReportRun>(
  { timed, impossible }: TimedRuns<Run>,
): TimedRuns<Run> {
  const [begin, end] = mainPart(timed);
  if (begin === 0 && end === timed.length) {
    return { timed, impossible: impossible.toSorted((a, b) => a.id - b.id) };
  }
  const strays = [...timed.slice(0, begin), ...timed.slice(end)].map(({ run }) => run);
  return {
    timed: timed.slice(begin, end),
    impossible: [...impossible, ...strays].sort((a, b) => a.id - b.id),
  };
}

/** The runs without the few that are years from all others. */
function mainPart<Run>(timed: readonly TimedRun<Run>[]): [begin: number, end: number] {
  const few = Math.max(2, Math.floor(timed.length / 50));
  const span = (begin: number, end: number) => timed[end - 1].time - timed[begin].time;
  let [begin, end] = [0, timed.length];
  for (let at = Math.min(few, timed.length - 4); at > 0; at--) {
    const gap = timed[at].time - timed[at - 1].time;
    if (gap > 2 * YEAR && gap > 3 * span(at, end)) {
      begin = at;
      break;
    }
  }
  for (let at = Math.max(timed.length - few, begin + 4); at < timed.length; at++) {
    const gap = timed[at].time - timed[at - 1].time;
    if (gap > 2 * YEAR && gap > 3 * span(begin, at)) {
      end = at;
      break;
    }
  }
  return [begin, end];
}

/** Something that the schedule started once: a run with its twins and retries. */
export interface Occurrence<Run> {
  /** When the first of its runs started. */
  readonly time: number;
  /** Its runs: the first, and its twins and retries. */
  readonly runs: readonly Run[];
}

/** What the schedule started, and what people started. */
export interface Occurrences<Run> {
  /** Every run that the schedule started, oldest first. */
  readonly started: readonly TimedRun<Run>[];
  /** The same, with twins and retries counted as one, oldest first. */
  readonly planned: readonly Occurrence<Run>[];
  /** Runs that were started by hand, if other runs were automatic; oldest first. */
  readonly byHand: readonly TimedRun<Run>[];
}

/**
 * Finds what a schedule started. If no run is automated, runs by hand count.
 *
 * @param timed The runs, oldest first.
 * @param statuses What each status means.
 * @returns What the schedule started, and runs by hand.
 */
export function occurrencesOf<Run extends ReportRun>(
  timed: readonly TimedRun<Run>[],
  statuses: StatusDictionary,
): Occurrences<Run> {
  const isAutomatic = timed.some(({ run }) => run.automated === true);
  const started = isAutomatic ? timed.filter(({ run }) => run.automated === true) : timed;
  const byHand = isAutomatic ? timed.filter(({ run }) => run.automated !== true) : [];
  const times = new Float64Array(started.length);
  const failed = new Uint8Array(started.length);
  // `from` takes several times as long.
  for (const [at, { run, time }] of started.entries()) {
    times[at] = time;
    failed[at] = +(meaningOf(run.status, statuses) === "bad");
  }
  const first = firstRuns(times, failed);
  const planned = first.map((place, at): Occurrence<Run> => {
    const runs = [started[place].run];
    for (let next = place + 1; next < (first[at + 1] ?? started.length); next++) {
      runs.push(started[next].run);
    }
    return { time: started[place].time, runs };
  });
  return { started, planned, byHand };
}

/**
 * The indexes of the runs that are neither twins nor retries of the run before.
 *
 * @param times When each run started, sorted.
 * @param failed 1 for each run that failed, 0 for the others.
 */
export function firstRuns(times: Float64Array, failed: Uint8Array): readonly number[] {
  const near = Math.min(TWIN, usualGap(times, 3 * TWIN) / 3);
  const first: number[] = [];
  for (let at = 0; at < times.length; at++) {
    if (at === 0 || times[at] - times[first[first.length - 1]] > near) first.push(at);
  }
  return withoutRetries(first, times, failed);
}

/**
 * The usual gap, ignoring gaps so short that only twins make them. If it is at least `enough`, then
 * any number from there on.
 */
function usualGap(times: Float64Array, enough: number): number {
  if (times.length < 2) return Infinity;
  // If each run has a twin, every second gap is between twins.
  const place = Math.floor((times.length - 1) * 0.75);
  let short = 0;
  for (let at = 1; at < times.length; at++) if (times[at] - times[at - 1] < enough) short++;
  if (short <= place) return enough;
  return times.subarray(1).map((time, at) => time - times[at]).sort()[place];
}

/** Without the retries. `first` are the indexes of runs that are no twins. */
function withoutRetries(
  first: readonly number[],
  times: Float64Array,
  failed: Uint8Array,
): readonly number[] {
  const count = first.length;
  // Of twins, the last one shows whether they failed.
  const hasFailed = new Uint8Array(count);
  const succeeded = new Float64Array(count);
  let successes = 0;
  for (let at = 0; at < count; at++) {
    hasFailed[at] = failed[(at + 1 < count ? first[at + 1] : times.length) - 1];
    if (hasFailed[at] === 0) succeeded[successes++] = times[first[at]];
  }
  // If nearly all runs fail, a retry looks like the next run.
  if (successes === count || successes < 3) return first;
  const near = Math.min(RETRY, 0.8 * usualGap(succeeded.subarray(0, successes), 2 * RETRY));
  let [failures, afterFailure, others, afterOther] = [0, 0, 0, 0];
  for (let at = 1; at < count; at++) {
    const follows = +(times[first[at]] - times[first[at - 1]] <= near);
    if (hasFailed[at - 1] === 1) {
      failures++;
      afterFailure += follows;
    } else {
      others++;
      afterOther += follows;
    }
  }
  // Only if failures are followed by runs that successes are not.
  if (afterFailure === 0 || afterFailure / failures < 2 * afterOther / Math.max(1, others)) {
    return first;
  }
  return first.filter((place, at) =>
    at === 0 || hasFailed[at - 1] === 0 || times[place] - times[first[at - 1]] > near
  );
}

/** Finds the runs that a schedule started, leaving out impossible times, twins and retries. */
import { MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { meaningOfRun, type StatusDictionary, type StatusMeaning } from "./status.ts";
import { timeOf } from "./times.ts";

/** The clocks of two machines may differ by this much, so a start may seem to be in the future. */
export const CLOCK_TOLERANCE: number = 5 * MINUTE;
/** An earlier start is impossible. */
export const EARLIEST: number = Date.UTC(2000, 0, 1);
/** Runs that start within this time of each other are twins. */
const TWIN = 2 * MINUTE;
/** A run that follows a failure within this time may be its retry. */
const RETRY = 30 * MINUTE;

export interface TimedRun<Run> {
  readonly run: Run;
  /** When it started, in milliseconds since 1970. */
  readonly time: number;
  /** How long it took; negative if it ended before it started. */
  readonly ms: number | undefined;
  readonly meaning: StatusMeaning;
}

/** Runs sorted by time, and runs whose start is missing or can't be right. */
export interface TimedRuns<Run> {
  /** Oldest first, ties by id. */
  readonly timed: readonly TimedRun<Run>[];
  /** Runs without a possible start, in the order of their ids. */
  readonly impossible: readonly Run[];
}

/** A start in the future or before 2000 is impossible, as is none. */
function isPossible(start: number | undefined, now: number): start is number {
  return start !== undefined && start >= EARLIEST && start <= now + CLOCK_TOLERANCE;
}

export function possibleRuns(runs: readonly ReportRun[], now: number): readonly ReportRun[] {
  return runs.filter(({ startTime }) => isPossible(timeOf(startTime), now));
}

export function timedRuns<Run extends ReportRun>(
  runs: readonly Run[],
  now: number,
  statuses: StatusDictionary,
): TimedRuns<Run> {
  const timed: TimedRun<Run>[] = [];
  const impossible: Run[] = [];
  for (const run of runs) {
    const time = timeOf(run.startTime);
    if (!isPossible(time, now)) impossible.push(run);
    else {
      const end = timeOf(run.endTime);
      const ms = end === undefined ? undefined : end - time;
      timed.push({ run, time, ms, meaning: meaningOfRun(run, statuses) });
    }
  }
  timed.sort((a, b) => a.time - b.time || a.run.id - b.run.id);
  return { timed, impossible: impossible.sort((a, b) => a.id - b.id) };
}

export interface Occurrences<Run> {
  /** Every run that the schedule started, oldest first. */
  readonly started: readonly TimedRun<Run>[];
  /** The same runs in groups: each with its twins and retries, oldest first. */
  readonly planned: readonly (readonly TimedRun<Run>[])[];
  /** Runs that were started by hand, if other runs were automatic; oldest first. */
  readonly byHand: readonly TimedRun<Run>[];
}

/** Finds what a schedule started, from runs sorted by time: all of them if none is automated. */
export function occurrencesOf<Run extends ReportRun>(
  timed: readonly TimedRun<Run>[],
): Occurrences<Run> {
  const isAutomatic = timed.some(({ run }) => run.automated === true);
  const started = isAutomatic ? timed.filter(({ run }) => run.automated === true) : timed;
  const byHand = isAutomatic ? timed.filter(({ run }) => run.automated !== true) : [];
  const firsts = firstRuns(started);
  const planned = firsts.map((first, at) => started.slice(first, firsts[at + 1]));
  return { started, planned, byHand };
}

/** The indexes of sorted runs that are neither twins nor retries of the run before. */
function firstRuns(started: readonly Pick<TimedRun<unknown>, "time" | "meaning">[]): number[] {
  const times = timesOf(started);
  const near = Math.min(TWIN, usualGap(times) / 3);
  const firsts: number[] = [];
  for (let at = 0; at < times.length; at++) {
    if (at === 0 || times[at] - times[firsts.at(-1)!] > near) firsts.push(at);
  }
  return withoutRetries(firsts, started);
}

export function timesOf(runs: readonly { readonly time: number }[]): Float64Array {
  const times = new Float64Array(runs.length);
  for (let at = 0; at < runs.length; at++) times[at] = runs[at].time;
  return times;
}

/** The usual gap, ignoring the gaps between twins. */
function usualGap(times: Float64Array): number {
  if (times.length < 2) return Infinity;
  // If each run has a twin, half of the gaps are between twins.
  const upperQuartile = Math.floor((times.length - 1) * 0.75);
  return times.subarray(1).map((time, at) => time - times[at]).sort()[upperQuartile];
}

/** Removes retries from `firsts`, the indexes of runs that are not twins. */
function withoutRetries(
  firsts: number[],
  started: readonly Pick<TimedRun<unknown>, "time" | "meaning">[],
): number[] {
  const times = timesOf(firsts.map((first) => started[first]));
  // The last of several twins shows whether they failed.
  const hasFailed = firsts.map((_, at) =>
    started[(firsts[at + 1] ?? started.length) - 1].meaning === "bad"
  );
  const succeeded = times.filter((_, at) => !hasFailed[at]);
  // If nearly all runs fail, a retry can't be distinguished from the next run.
  if (succeeded.length === firsts.length || succeeded.length < 3) return firsts;
  const near = Math.min(RETRY, 0.8 * usualGap(succeeded));
  let [failures, afterFailure, others, afterOther] = [0, 0, 0, 0];
  for (let at = 1; at < firsts.length; at++) {
    const follows = +(times[at] - times[at - 1] <= near);
    if (hasFailed[at - 1]) {
      failures++;
      afterFailure += follows;
    } else {
      others++;
      afterOther += follows;
    }
  }
  // Retries are more frequent after failures than other runs are after successes.
  if (afterFailure === 0 || afterFailure / failures < 2 * afterOther / Math.max(1, others)) {
    return firsts;
  }
  return firsts.filter((_, at) => !hasFailed[at - 1] || times[at] - times[at - 1] > near);
}

/** What a schedule really started: runs without impossible clocks, twins and retries. */
import type { ReportRun } from "../types.ts";
import { meaningOf, type StatusDictionary, type StatusMeaning } from "./status.ts";
import { timeOf } from "./times.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 366 * DAY;
/** If the clocks of two machines differ by less, a start in the future is possible. */
const CLOCK_TOLERANCE = 10 * MINUTE;
const EARLIEST = Date.UTC(2000, 0, 1);
/** Runs that start within this time of each other are twins. */
const TWIN = 2 * MINUTE;
/** A run that follows a failure within this time may be its retry. */
const RETRY = 30 * MINUTE;

/** A run, when it started, how long it took (see `durationOf`), and what its status means. */
export interface TimedRun<Run> {
  readonly run: Run;
  readonly time: number;
  readonly ms: number | undefined;
  readonly meaning: StatusMeaning;
}

/** Runs sorted by time, and those whose clock can't be right. */
export interface TimedRuns<Run> {
  /** Oldest first, ties by id. */
  readonly timed: readonly TimedRun<Run>[];
  /** Runs with an impossible start, in the order of their ids. */
  readonly impossible: readonly Run[];
}

/** Sorts runs by time. A start in the future, before 2000, or years from others is impossible. */
export function runsInTime<Run extends ReportRun>(
  runs: readonly Run[],
  now: number,
  statuses: StatusDictionary,
): TimedRuns<Run> {
  return withoutStrays(runsByTime(runs, now, statuses));
}

/** The same, without checking how far a start is from the others. */
export function runsByTime<Run extends ReportRun>(
  runs: readonly Run[],
  now: number,
  statuses: StatusDictionary,
): TimedRuns<Run> {
  const timed: TimedRun<Run>[] = [];
  const impossible: Run[] = [];
  for (const run of runs) {
    const time = timeOf(run.startTime);
    if (time === undefined) continue;
    if (time > now + CLOCK_TOLERANCE || time < EARLIEST) impossible.push(run);
    else {
      const end = timeOf(run.endTime);
      const ms = end === undefined ? undefined : end - time;
      timed.push({ run, time, ms, meaning: meaningOf(run.status, statuses) });
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

export interface Occurrences<Run> {
  /** Every run that the schedule started, oldest first. */
  readonly started: readonly TimedRun<Run>[];
  /** The same, each with its twins and retries, oldest first. */
  readonly planned: readonly (readonly TimedRun<Run>[])[];
  /** Runs that were started by hand, if other runs were automatic; oldest first. */
  readonly byHand: readonly TimedRun<Run>[];
}

/** Finds what a schedule started, from runs sorted by time. If none is automated, all count. */
export function occurrencesOf<Run extends ReportRun>(
  timed: readonly TimedRun<Run>[],
): Occurrences<Run> {
  const isAutomatic = timed.some(({ run }) => run.automated === true);
  const started = isAutomatic ? timed.filter(({ run }) => run.automated === true) : timed;
  const byHand = isAutomatic ? timed.filter(({ run }) => run.automated !== true) : [];
  const first = firstRuns(started);
  const planned = first.map((place, at) => started.slice(place, first[at + 1]));
  return { started, planned, byHand };
}

/** The indexes of the runs, sorted by time, that are neither twins nor retries of the run before. */
function firstRuns(started: readonly Pick<TimedRun<unknown>, "time" | "meaning">[]): number[] {
  const times = timesOf(started);
  const near = Math.min(TWIN, usualGap(times) / 3);
  const first: number[] = [];
  for (let at = 0; at < times.length; at++) {
    if (at === 0 || times[at] - times[first[first.length - 1]] > near) first.push(at);
  }
  return withoutRetries(first, started);
}

export function timesOf(runs: readonly { readonly time: number }[]): Float64Array {
  const times = new Float64Array(runs.length);
  for (let at = 0; at < runs.length; at++) times[at] = runs[at].time;
  return times;
}

/** The usual gap, ignoring gaps so short that only twins make them. */
function usualGap(times: Float64Array): number {
  if (times.length < 2) return Infinity;
  // If each run has a twin, every second gap is between twins.
  const place = Math.floor((times.length - 1) * 0.75);
  return times.subarray(1).map((time, at) => time - times[at]).sort()[place];
}

/** Without the retries. `first` are the indexes of runs that are no twins. */
function withoutRetries(
  first: number[],
  started: readonly Pick<TimedRun<unknown>, "time" | "meaning">[],
): number[] {
  const times = timesOf(first.map((place) => started[place]));
  // Of twins, the last one shows whether they failed.
  const hasFailed = first.map((_, at) =>
    started[(first[at + 1] ?? started.length) - 1].meaning === "bad"
  );
  const succeeded = times.filter((_, at) => !hasFailed[at]);
  // If nearly all runs fail, a retry looks like the next run.
  if (succeeded.length === first.length || succeeded.length < 3) return first;
  const near = Math.min(RETRY, 0.8 * usualGap(succeeded));
  let [failures, afterFailure, others, afterOther] = [0, 0, 0, 0];
  for (let at = 1; at < first.length; at++) {
    const follows = +(times[at] - times[at - 1] <= near);
    if (hasFailed[at - 1]) {
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
  return first.filter((_, at) =>
    at === 0 || !hasFailed[at - 1] || times[at] - times[at - 1] > near
  );
}

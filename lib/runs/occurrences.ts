/** What a schedule really started: runs without impossible clocks, twins and retries. */
import type { ReportRun } from "../types.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { timeOf } from "./times.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 366 * DAY;

/** The clocks of two machines may differ by this much without anybody noticing. */
const CLOCK_TOLERANCE = MINUTE;
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
  return { started, planned: withoutRetries(withoutTwins(started), statuses), byHand };
}

function withoutTwins<Run>(started: readonly TimedRun<Run>[]): Occurrence<Run>[] {
  const usual = usualGap(started.map(({ time }) => time));
  const near = Math.min(TWIN, usual / 3);
  const found: { time: number; runs: Run[] }[] = [];
  for (const { run, time } of started) {
    const before = found.at(-1);
    if (before && time - before.time <= near) before.runs.push(run);
    else found.push({ time, runs: [run] });
  }
  return found;
}

/** The median gap, ignoring gaps so short that only twins make them. */
function usualGap(times: readonly number[]): number {
  const gaps = new Float64Array(Math.max(0, times.length - 1));
  for (let at = 0; at < gaps.length; at++) gaps[at] = times[at + 1] - times[at];
  gaps.sort();
  // If each run has a twin, every second gap is between twins.
  return gaps.length === 0 ? Infinity : gaps[Math.floor(gaps.length * 0.75)];
}

function withoutRetries<Run extends ReportRun>(
  occurrences: readonly Occurrence<Run>[],
  statuses: StatusDictionary,
): Occurrence<Run>[] {
  const failed = (occurrence: Occurrence<Run>) =>
    meaningOf(occurrence.runs.at(-1)!.status, statuses) === "bad";
  const succeeded = occurrences.filter((occurrence) => !failed(occurrence));
  if (succeeded.length === occurrences.length) return [...occurrences];
  // If nearly all runs fail, a retry can't be told from the next run.
  if (succeeded.length < 3) return [...occurrences];
  const near = Math.min(RETRY, 0.8 * usualGap(succeeded.map(({ time }) => time)));
  let [failures, afterFailure, others, afterOther] = [0, 0, 0, 0];
  for (let at = 0; at + 1 < occurrences.length; at++) {
    const follows = occurrences[at + 1].time - occurrences[at].time <= near ? 1 : 0;
    if (failed(occurrences[at])) {
      failures++;
      afterFailure += follows;
    } else {
      others++;
      afterOther += follows;
    }
  }
  // Only if failures are followed by runs that successes are not.
  if (afterFailure === 0 || afterFailure / failures < 2 * afterOther / Math.max(1, others)) {
    return [...occurrences];
  }
  const found: { time: number; last: number; runs: Run[] }[] = [];
  for (const occurrence of occurrences) {
    const before = found.at(-1);
    const isRetry = before && occurrence.time - before.last <= near &&
      meaningOf(before.runs.at(-1)!.status, statuses) === "bad";
    if (isRetry) {
      before.runs.push(...occurrence.runs);
      before.last = occurrence.time;
    } else found.push({ time: occurrence.time, last: occurrence.time, runs: [...occurrence.runs] });
  }
  return found.map(({ time, runs }) => ({ time, runs }));
}

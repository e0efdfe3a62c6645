/**
 * When a schedule usually runs, and which runs were missed: inferred from its runs, as the interface
 * does not tell its plan.
 *
 * What follows a run is expected to be what usually followed runs at the same hour of the same
 * weekday around that time. So a pause of every night or every weekend is no miss, and a cadence
 * that was changed is learnt anew. What is too young to show its weeks has no misses.
 *
 * @module
 */

import type { ReportRun } from "../types.ts";
import { quantile } from "./numbers.ts";
import { timeOf } from "./times.ts";

/** A run that was expected and is not there. */
export interface MissedRun {
  /** When it was expected, about: to the minute. */
  readonly at: number;
}

/** When a schedule usually runs, inferred. */
export interface Cadence {
  /** Number of runs this was inferred from: those that the schedule started. */
  readonly count: number;
  /** The usual time between two runs, in milliseconds. */
  readonly periodMs: number;
  /** Part of the runs that came when they were expected. */
  readonly regularity: number;
  /** Lately used weekdays in UTC, 0 for Sunday. */
  readonly weekdays: readonly number[];
  /** Lately used minutes of the day in UTC: the earliest and the latest. */
  readonly minutes: readonly [earliest: number, latest: number];
  /** Runs that were expected between others and are not there, the newest first. */
  readonly missed: readonly MissedRun[];
  /** When the next run after the newest is expected. */
  readonly next: number;
  /** Runs that were expected after the newest until the given present, the newest first. */
  readonly overdue: readonly MissedRun[];
  /** How late a run may be and still count as the expected one, in milliseconds. */
  readonly toleranceMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Fewer runs tell no cadence. */
const FEWEST_RUNS = 5;
/** Fewer examples tell nothing of what follows. */
const FEWEST_EXAMPLES = 3;
/** What is usual is told by so many examples around the run. */
const NEAREST_EXAMPLES = 7;
/** So many of the examples have to agree with the usual one. */
const LEAST_AGREEMENT = 0.6;
/** What runs so seldom runs once a week or less. */
const LONG_PERIOD = 5 * DAY;
/** Where fewer of the runs came as expected, there is no cadence. */
const LEAST_REGULARITY = 0.7;
/** A pause is counted out no further than this. */
const MOST_MISSED = 500;

/**
 * Infers when a schedule usually runs. Only runs that the schedule started count; where the service
 * never says which those are, all do.
 *
 * @param runs The runs, in any order.
 * @param now The present, in milliseconds since 1970, where the newest run is among them: it tells
 * which runs are overdue.
 * @returns The cadence, or null where none can be seen.
 *
 * @example
 * ```ts
 * import { inferCadence } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const everyDay = Array.from({ length: 31 }, (_, day) => ({
 *   id: day,
 *   automated: true,
 *   startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
 * }));
 * const cadence = inferCadence(everyDay.filter(({ id }) => id !== 20));
 * assertEquals(cadence?.missed, [{ at: Date.UTC(2026, 0, 21, 6) }]);
 * assertEquals(cadence?.next, Date.UTC(2026, 1, 1, 6));
 * ```
 */
export function inferCadence(runs: readonly ReportRun[], now?: number): Cadence | null {
  const times = plannedTimes(runs);
  if (times.length < FEWEST_RUNS) return null;
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  const periodMs = quantile(gaps, 0.5)!;
  if (periodMs <= 0) return null;
  const toleranceMs = periodMs / 2;
  const expected = expectations(times, gaps, periodMs);

  const newest = times.length - 1;
  const asExpected = gaps.filter((gap, index) =>
    Math.abs(gap - expected.byOthers(index)) <= toleranceMs
  );
  const missed: MissedRun[] = [];
  for (let index = 0; index < gaps.length; index++) {
    for (const at of expected.until(index, times[index + 1] - toleranceMs)) {
      missed.push({ at: toMinute(at) });
    }
  }
  const regularity = asExpected.length / gaps.length;
  if (regularity < LEAST_REGULARITY) return null;
  return {
    count: times.length,
    periodMs,
    regularity,
    ...recentHabit(times),
    missed: missed.reverse(),
    next: toMinute(times[newest] + expected.after(newest)),
    overdue: now === undefined
      ? []
      : [...expected.until(newest, now - toleranceMs)].map((at) => ({ at: toMinute(at) }))
        .reverse(),
    toleranceMs,
  };
}

/** When the schedule started runs, the oldest first; runs at the same moment are one. */
function plannedTimes(runs: readonly ReportRun[]): number[] {
  const planned = runs.some(({ automated }) => typeof automated === "boolean")
    ? runs.filter(({ automated }) => automated === true)
    : runs;
  const times = planned.map(({ startTime }) => timeOf(startTime))
    .filter((time) => time !== undefined);
  return [...new Set(times)].sort((a, b) => a - b);
}

/** What is expected to follow each run. */
function expectations(times: readonly number[], gaps: readonly number[], periodMs: number) {
  const width = Math.min(HOUR, periodMs);
  const phase = phaseOf(times, width);
  const hourOf = (time: number) => Math.floor(((time - phase) % DAY + DAY) % DAY / width);
  const dayOf = (time: number) => Math.floor((time - phase) / DAY) % 7;
  // Of what runs once a week or less, the weekday alone does not tell one run from another.
  const keyOf = (time: number) => periodMs >= LONG_PERIOD ? "" : `${dayOf(time)} ${hourOf(time)}`;

  const alike = new Map<string, number[]>();
  const sameHour = new Map<number, number[]>();
  for (let index = 0; index < gaps.length; index++) {
    add(alike, keyOf(times[index]), index);
    add(sameHour, hourOf(times[index]), index);
  }

  /** What usually follows a run at that time, judged by examples around the run at that index. */
  const gapAfter = (time: number, index: number, isExample = (_at: number) => true): number => {
    const examples = nearest(alike.get(keyOf(time)) ?? [], index).filter(isExample);
    if (examples.length >= FEWEST_EXAMPLES) {
      const around = examples.map((at) => gaps[at]);
      const usual = quantile(around, 0.5)!;
      const close = around.filter((gap) => Math.abs(gap - usual) <= periodMs / 2).length;
      if (close / around.length >= LEAST_AGREEMENT) return usual;
      return Math.max(...around);
    }
    // Too young to tell a weekend from a miss: the longest pause so far is taken to be usual.
    const around = nearest(sameHour.get(hourOf(time)) ?? [], index).filter(isExample);
    return around.length > 0
      ? Math.max(...around.map((at) => gaps[at]))
      : gaps.reduce((longest, gap, at) => isExample(at) ? Math.max(longest, gap) : longest, 0);
  };

  return {
    after: (index: number) => gapAfter(times[index], index),
    /** What the other runs would have one expect after a run. */
    byOthers: (index: number) => gapAfter(times[index], index, (at) => at !== index),
    /** The moments that were expected after a run and before an end. */
    *until(index: number, end: number): Generator<number> {
      let time = times[index];
      for (let count = 0; count < MOST_MISSED; count++) {
        time += gapAfter(time, index);
        if (time >= end) return;
        yield time;
      }
    },
  };
}

/** Runs start some seconds late or early; what is expected is known to the minute at best. */
function toMinute(time: number): number {
  return Math.round(time / MINUTE) * MINUTE;
}

function add<Key>(lists: Map<Key, number[]>, key: Key, index: number): void {
  const list = lists.get(key);
  if (list) list.push(index);
  else lists.set(key, [index]);
}

/** Those of some sorted indexes that are nearest to one. */
function nearest(sorted: readonly number[], index: number): readonly number[] {
  if (sorted.length <= NEAREST_EXAMPLES) return sorted;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < index) low = middle + 1;
    else high = middle;
  }
  const start = low - (NEAREST_EXAMPLES >> 1);
  const begin = Math.max(0, Math.min(start, sorted.length - NEAREST_EXAMPLES));
  return sorted.slice(begin, begin + NEAREST_EXAMPLES);
}

/**
 * Where a pattern of that width begins, so that the usual time is in the middle of it: a run that
 * starts some seconds early or late stays in its hour.
 */
function phaseOf(times: readonly number[], width: number): number {
  let x = 0;
  let y = 0;
  for (const time of times) {
    const angle = time % width / width * 2 * Math.PI;
    x += Math.cos(angle);
    y += Math.sin(angle);
  }
  return Math.atan2(y, x) / (2 * Math.PI) * width - width / 2;
}

/** Weekdays and times of the day of the runs of the last four weeks, or of the last five runs. */
function recentHabit(times: readonly number[]): Pick<Cadence, "weekdays" | "minutes"> {
  const since = Math.min(times.at(-1)! - 28 * DAY, times.at(-FEWEST_RUNS)!);
  const recent = times.filter((time) => time >= since);
  const minutes = recent.map((time) => Math.floor(time % DAY / MINUTE)).sort((a, b) => a - b);
  const weekdays = new Set(recent.map((time) => new Date(time).getUTCDay()));
  return {
    weekdays: [...weekdays].sort((a, b) => a - b),
    minutes: [minutes[0], minutes.at(-1)!],
  };
}

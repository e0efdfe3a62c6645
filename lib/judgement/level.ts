/**
 * Whether the newest of some numbers have shifted from those before. Numbers are compared on a log
 * scale, and with those of the same weekday if weekdays differ.
 */
import type { ReportRun } from "../types.ts";
import {
  distancesFrom,
  quantile,
  quantileOfSorted,
  sortedOf,
  TO_STANDARD,
} from "../runs/numbers.ts";

const DAY = 86_400_000;

/** A number of a run. */
export interface Measured {
  readonly run: ReportRun;
  readonly time: number;
  /** Above 0. */
  readonly value: number;
}

/** A shift: the newest numbers differ from those before. */
export interface Shift {
  /** The runs since the shift, oldest first. */
  readonly runs: readonly ReportRun[];
  readonly since: number;
  /** The median before. */
  readonly before: number;
  /** The median since. */
  readonly after: number;
}

/** At least this many numbers show what is usual. */
const FEWEST_BEFORE = 8;
/** With this many, what is usual is well known. */
const WELL_KNOWN = 20;
const MOST_BEFORE = 60;
const MOST_SINCE = 40;
/** A smaller factor is no shift, however many numbers differ. */
const LEAST_FACTOR = 1.5;
/** The least deviation to assume, so that not every difference between equal numbers is a shift. */
const LEAST_DEVIATION = 0.05;
/**
 * Numbers are compared with the same weekday if this share of them is then within a distance that
 * is less than this part of the one before.
 */
const BY_DAY_PART = 0.8;
const LESS_BY_DAY = 0.6;

/** By how much the newest numbers have to differ: the fewer they are, the more. */
function bounds(count: number): { readonly deviations: number; readonly factor: number } {
  if (count === 1) return { deviations: 6, factor: 3 };
  if (count === 2) return { deviations: 4.5, factor: 2 };
  if (count < 7) return { deviations: 3.2, factor: LEAST_FACTOR };
  return { deviations: 2.2, factor: LEAST_FACTOR };
}

/** Whether the newest numbers differ from those before; oldest first. */
export function shiftIn(measured: readonly Measured[]): Shift | null {
  const newest = measured.slice(-(MOST_BEFORE + MOST_SINCE));
  return newest.length <= FEWEST_BEFORE ? null : bestShift(newest);
}

/** The most distinct shift. */
function bestShift(measured: readonly Measured[]): Shift | null {
  const logs = measured.map(({ value }) => Math.log(value));
  const days = measured.map(({ time }) => Math.floor(time / DAY) % 7);
  const sameDay = (day: number) => logs.filter((_, at) => days[at] === day);
  const newest = logs.length - 3;
  if (
    logs.slice(newest).every((log, at) =>
      hasMedianNear(logs, log) && hasMedianNear(sameDay(days[newest + at]), log)
    )
  ) return null;
  const sorted = sortedOf(logs);
  const all = quantileOfSorted(sorted, 0.5);
  /** How far the median of each weekday is above the median of all. */
  const excess = [0, 1, 2, 3, 4, 5, 6].map((day) => {
    const same = sortedOf(sameDay(day));
    return same.length < 3 ? 0 : quantileOfSorted(same, 0.5) - all;
  });
  const adjusted = logs.map((log, at) => log - excess[days[at]]);
  const inOrder = sortedOf(adjusted);
  // If weekdays differ, numbers are compared with the same weekday.
  const spread = (numbers: ArrayLike<number>) =>
    quantileOfSorted(distancesFrom(numbers, all), BY_DAY_PART);
  const isByDay = spread(inOrder) < LESS_BY_DAY * spread(sorted);
  const levels = isByDay ? adjusted : logs;
  const { above, below } = farFrom(isByDay ? inOrder : sorted);
  let [higher, lower] = [0, 0];
  let best: { readonly count: number; readonly strength: number } | null = null;
  for (let count = 1; count <= Math.min(MOST_SINCE, levels.length - FEWEST_BEFORE); count++) {
    const first = levels[levels.length - count];
    if (first >= above) higher++;
    if (first <= below) lower++;
    // Sorting takes long, and most of the newest are usual.
    if (Math.max(higher, lower) * 2 < count) continue;
    const since = sortedOf(levels.slice(-count));
    const before = sortedOf(levels.slice(-count - MOST_BEFORE, -count));
    const middle = quantileOfSorted(before, 0.5);
    const shift = quantileOfSorted(since, 0.5) - middle;
    const bound = bounds(count);
    if (Math.abs(shift) < Math.log(bound.factor)) continue;
    const deviations = distancesFrom(before, middle);
    const deviation = Math.max(LEAST_DEVIATION, TO_STANDARD * quantileOfSorted(deviations, 0.5));
    if (Math.abs(shift) < bound.deviations * deviation) continue;
    // A level that also occurred before is nothing new.
    const isKnown = count >= 3 && before.length >= WELL_KNOWN;
    const usualMost = quantileOfSorted(deviations, isKnown ? 0.97 : 1);
    if (Math.abs(shift) < usualMost * (isKnown ? 1 : 1.3)) continue;
    // Nearly all of them have to be at the new level.
    const there = since.filter((level) => Math.abs(level - middle) > Math.abs(shift) / 2).length;
    if (there < 0.8 * count || Math.abs(first - middle) < Math.abs(shift) / 2) continue;
    const strength = Math.abs(shift) / deviation * Math.sqrt(count);
    if (best === null || strength > best.strength) best = { count, strength };
  }
  if (best === null) return null;
  const shifted = measured.slice(-best.count);
  const usually = measured.slice(-best.count - MOST_BEFORE, -best.count);
  const valueOf = (part: readonly Measured[]) => quantile(part.map(({ value }) => value), 0.5)!;
  return {
    runs: shifted.map(({ run }) => run),
    since: shifted[0].time,
    before: valueOf(usually),
    after: valueOf(shifted),
  };
}

/** Whether the median of some numbers is near a value: a shift is further away. Needs no sorting. */
function hasMedianNear(numbers: readonly number[], value: number): boolean {
  const near = Math.log(LEAST_FACTOR) / 2;
  let [above, below] = [0, 0];
  for (const number of numbers) {
    if (number > value - near) above++;
    if (number < value + near) below++;
  }
  return Math.min(above, below) * 2 > numbers.length;
}

/**
 * How far above or below a number is at least if it has shifted from the median of those before the
 * newest, however many these are.
 */
function farFrom(sorted: ArrayLike<number>) {
  const { length } = sorted;
  const fewest = Math.min(MOST_BEFORE, Math.max(FEWEST_BEFORE, length - MOST_SINCE));
  // Half of those before are at or below their median.
  const half = (fewest - 1) >> 1;
  // A tolerance, so that rounding leaves out no number at the bound.
  const least = Math.log(LEAST_FACTOR) - 1e-9;
  return { above: sorted[half] + least, below: sorted[length - 1 - half] - least };
}

/**
 * Whether the newest of some numbers have shifted from those before, or climb slowly. Numbers are
 * compared on a log scale, and with those of the same weekday if weekdays differ.
 */
import type { ReportRun } from "../../types.ts";
import { quantile } from "../numbers.ts";
import { addTo, distancesFrom, quantileOfSorted, sortedOf, takeFrom } from "../sorted.ts";

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
/** If the newest three are closer than this to what is usual, there is no shift. */
const NEAR = /* @__PURE__ */ Math.log(LEAST_FACTOR) / 2;
/** The least deviation to assume, so that not every difference between equal numbers is a shift. */
const LEAST_DEVIATION = 0.05;
const SCALE = 1.4826;

/** By how much the newest numbers have to differ: the fewer they are, the more. */
function bounds(count: number): { readonly deviations: number; readonly factor: number } {
  if (count === 1) return { deviations: 6, factor: 3 };
  if (count === 2) return { deviations: 4.5, factor: 2 };
  if (count < 7) return { deviations: 3.2, factor: LEAST_FACTOR };
  return { deviations: 2.2, factor: LEAST_FACTOR };
}

/** The newest numbers, oldest first, and their logarithms, also sorted: all, and by weekday. */
export interface Levels {
  readonly measured: Measured[];
  readonly logs: number[];
  readonly sorted: number[];
  readonly ofDay: readonly number[][];
  /** The median of each weekday; NaN if it has fewer than three numbers. */
  readonly middles: Float64Array;
}

/** The newest of these numbers, which are sorted by time. */
export function levelsOf(measured: readonly Measured[]): Levels {
  const newest = measured.slice(-(MOST_BEFORE + MOST_SINCE));
  const logs = newest.map(({ value }) => Math.log(value));
  const days: number[][] = Array.from({ length: 7 }, () => []);
  for (const [at, one] of newest.entries()) days[weekday(one)].push(logs[at]);
  const ofDay = days.map((same) => [...sortedOf(same)]);
  const middles = Float64Array.from(ofDay, middleOf);
  return { measured: newest, logs, sorted: [...sortedOf(logs)], ofDay, middles };
}

/** Adds the newest number, and removes the oldest if there are too many. */
export function addLevel(levels: Levels, one: Measured): void {
  const { measured, logs, sorted, ofDay, middles } = levels;
  let place = measured.length;
  while (place > 0 && measured[place - 1].time > one.time) place--;
  const log = Math.log(one.value);
  measured.splice(place, 0, one);
  logs.splice(place, 0, log);
  addTo(sorted, log);
  const day = weekday(one);
  addTo(ofDay[day], log);
  middles[day] = middleOf(ofDay[day]);
  if (measured.length > MOST_BEFORE + MOST_SINCE) takeOldest(levels);
}

/** Removes the oldest number. */
export function takeOldest({ measured, logs, sorted, ofDay, middles }: Levels): void {
  const log = logs.shift()!;
  takeFrom(sorted, log);
  const day = weekday(measured.shift()!);
  takeFrom(ofDay[day], log);
  middles[day] = middleOf(ofDay[day]);
}

function middleOf(same: readonly number[]): number {
  return same.length < 3 ? NaN : quantileOfSorted(same, 0.5);
}

function weekday({ time }: Measured): number {
  return Math.floor(time / DAY) % 7;
}

/** Whether the newest numbers differ from those before; oldest first. */
export function shiftIn(measured: readonly Measured[]): Shift | null {
  return shiftOf(levelsOf(measured));
}

/** The same for sorted numbers. */
export function shiftOf({ measured, logs, sorted, middles }: Levels): Shift | null {
  if (measured.length <= FEWEST_BEFORE) return null;
  const all = quantileOfSorted(sorted, 0.5);
  let [least, most] = [Infinity, -Infinity];
  for (let day = 0; day < 7; day++) {
    const excess = middles[day] - all || 0;
    if (excess < least) least = excess;
    if (excess > most) most = excess;
  }
  const apart = most - least;
  // Usually none of the last three can have shifted, even compared with their weekday: then the
  // rest need not be computed.
  const { length } = logs;
  const near = NEAR - 1e-9 - apart;
  const isFarFromAll = (at: number) => Math.abs(logs[at] - all) >= near;
  if (!isFarFromAll(length - 1) && !isFarFromAll(length - 2) && !isFarFromAll(length - 3)) {
    return null;
  }
  if (!mayShift(logs, sorted, apart)) return null;
  const adjusted = logs.map((log, at) => log - (middles[weekday(measured[at])] - all || 0));
  const inOrder = sortedOf(adjusted);
  if (!mayShift(logs, sorted) && !mayShift(adjusted, inOrder)) return null;
  // If weekdays differ, numbers are compared with the same weekday.
  const spread = (numbers: ArrayLike<number>) => quantileOfSorted(distancesFrom(numbers, all), 0.8);
  const isByDay = spread(inOrder) < 0.6 * spread(sorted);
  const levels = isByDay ? adjusted : logs;
  const usual = quantileOfSorted(isByDay ? inOrder : sorted, 0.5);
  const isNear = (level: number) => Math.abs(level - usual) < NEAR;
  if (levels.slice(-3).every(isNear)) return null;
  let best: { readonly count: number; readonly strength: number } | null = null;
  const since: number[] = [];
  const before = [...sortedOf(levels.slice(-MOST_BEFORE))];
  for (let count = 1; count <= Math.min(MOST_SINCE, levels.length - FEWEST_BEFORE); count++) {
    const first = levels[levels.length - count];
    addTo(since, first);
    takeFrom(before, first);
    const oldest = levels.length - count - MOST_BEFORE;
    if (oldest >= 0) addTo(before, levels[oldest]);
    const middle = quantileOfSorted(before, 0.5);
    const shift = quantileOfSorted(since, 0.5) - middle;
    const bound = bounds(count);
    if (Math.abs(shift) < Math.log(bound.factor)) continue;
    const deviations = distancesFrom(before, middle);
    const deviation = Math.max(LEAST_DEVIATION, SCALE * quantileOfSorted(deviations, 0.5));
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

/**
 * Whether half of the newest numbers, however many, are far enough from the median of those before.
 *
 * @param apart By how much comparing weekdays may still move two numbers apart.
 */
function mayShift(levels: readonly number[], sorted: ArrayLike<number>, apart = 0): boolean {
  const { length } = levels;
  const most = Math.min(MOST_SINCE, length - FEWEST_BEFORE);
  // Of at least this many earlier numbers, half are at or below the median.
  const half = (Math.min(MOST_BEFORE, length - most) - 1) >> 1;
  // A tolerance, so that rounding leaves out no number at the bound.
  const least = Math.log(LEAST_FACTOR) - 1e-9 - apart;
  const above = sorted[half] + least;
  const below = sorted[length - 1 - half] - least;
  let [higher, lower] = [0, 0];
  for (let count = 1; count <= most; count++) {
    const level = levels[length - count];
    if (level >= above) higher++;
    if (level <= below) lower++;
    // With only one or two numbers, they have to be further away.
    if (count > 2 && Math.max(higher, lower) * 2 >= count) return true;
  }
  const [last, other] = [levels[length - 1], levels[length - 2]];
  const far = Math.log(bounds(2).factor / LEAST_FACTOR);
  return Math.max(last, other) >= above + far || Math.min(last, other) <= below - far;
}

/** A slow climb. */
export interface Climb {
  readonly since: number;
  readonly before: number;
  readonly after: number;
}

const CLIMB_PARTS = 5;
const FEWEST_CLIMBING = 25;
const LEAST_CLIMB = 1.5;

/** Finds out whether all of the numbers climb slowly. */
export function climbIn(measured: readonly Measured[]): Climb | null {
  if (measured.length < FEWEST_CLIMBING) return null;
  const size = Math.floor(measured.length / CLIMB_PARTS);
  if (!mayClimb(measured.slice(0, size), measured.slice((CLIMB_PARTS - 1) * size))) return null;
  const partOf = (at: number) =>
    measured.slice(at * size, at === CLIMB_PARTS - 1 ? undefined : (at + 1) * size)
      .map(({ value }) => Math.log(value));
  const [first, last] = [partOf(0), partOf(CLIMB_PARTS - 1)];
  // Most numbers don't climb. The first and last part show that, so the others are not read.
  if (quantile(last, 0.5)! - quantile(first, 0.5)! < Math.log(LEAST_CLIMB)) return null;
  const parts = [first, ...[1, 2, 3].map(partOf), last];
  const middles = parts.map((part) => quantile(part, 0.5)!);
  const steps = middles.slice(1).map((middle, at) => middle - middles[at]);
  const total = middles.at(-1)! - middles[0];
  if (steps.some((step) => step < total * 0.05)) return null;
  const rest = parts.flatMap((part, at) => part.map((log) => Math.abs(log - middles[at])));
  const deviation = SCALE * quantile(rest, 0.5)!;
  if (total < 4 * deviation * Math.sqrt(2 / size) || total < deviation) return null;
  return {
    since: measured[0].time,
    before: Math.exp(middles[0]),
    after: Math.exp(middles.at(-1)!),
  };
}

/** Whether half of the last or of the first part is far enough from the mean for a climb. */
function mayClimb(first: readonly Measured[], last: readonly Measured[]): boolean {
  const both = [...first, ...last];
  const between = both.reduce((sum, { value }) => sum + value, 0) / both.length;
  // A tolerance, so that rounding leaves out no number at the bound.
  const factor = Math.sqrt(LEAST_CLIMB) * 0.999;
  return last.filter(({ value }) => value >= between * factor).length * 2 >= last.length ||
    first.filter(({ value }) => value * factor <= between).length * 2 >= first.length;
}

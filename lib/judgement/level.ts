/**
 * Whether the newest of some numbers have shifted from those before. Numbers are compared on a log
 * scale, and with those of the same weekday if weekdays differ.
 */
import type { ReportRun } from "../types.ts";
import {
  addTo,
  distancesFrom,
  quantile,
  quantileOfSorted,
  sortedOf,
  takeFrom,
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

/** The newest numbers, oldest first, and their logarithms, also sorted: all, and by weekday. */
export interface Levels {
  readonly measured: Measured[];
  readonly logs: number[];
  readonly days: number[];
  readonly sorted: number[];
  readonly ofDay: readonly number[][];
  /** The median of each weekday; NaN if it has fewer than three numbers. */
  readonly middles: Float64Array;
}

/** The newest of these numbers, which are sorted by time. */
export function levelsOf(measured: readonly Measured[]): Levels {
  const newest = measured.slice(-(MOST_BEFORE + MOST_SINCE));
  const logs = newest.map(({ value }) => Math.log(value));
  const days = newest.map(weekday);
  const logsOf: number[][] = Array.from({ length: 7 }, () => []);
  for (const [at, day] of days.entries()) logsOf[day].push(logs[at]);
  const ofDay = logsOf.map((same) => [...sortedOf(same)]);
  const middles = Float64Array.from(ofDay, middleOf);
  return { measured: newest, logs, days, sorted: [...sortedOf(logs)], ofDay, middles };
}

/** Adds the newest number, and removes the oldest if there are too many. */
export function addLevel(levels: Levels, one: Measured): void {
  const { measured, logs, days, sorted, ofDay, middles } = levels;
  const log = Math.log(one.value);
  const day = weekday(one);
  // A run that ended before may have started later.
  let place = measured.length;
  while (place > 0 && measured[place - 1].time > one.time) place--;
  insertAt(measured, place, one);
  insertAt(logs, place, log);
  insertAt(days, place, day);
  addTo(sorted, log);
  addTo(ofDay[day], log);
  middles[day] = middleOf(ofDay[day]);
  if (measured.length > MOST_BEFORE + MOST_SINCE) takeOldest(levels);
}

/** Inserts an item, usually at the end. */
function insertAt<Item>(items: Item[], place: number, item: Item): void {
  if (place === items.length) items.push(item);
  else items.splice(place, 0, item);
}

/** Removes the oldest number. */
export function takeOldest({ measured, logs, days, sorted, ofDay, middles }: Levels): void {
  measured.shift();
  const log = logs.shift()!;
  const day = days.shift()!;
  takeFrom(sorted, log);
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
export function shiftOf(levels: Levels): Shift | null {
  return isSteady(levels) ? null : bestShift(levels);
}

/** Whether it is certain that nothing has shifted, which takes much less work to find out. */
function isSteady({ logs, days, sorted, middles }: Levels): boolean {
  const { length } = logs;
  if (length <= FEWEST_BEFORE) return true;
  const all = quantileOfSorted(sorted, 0.5);
  let [least, most] = [Infinity, -Infinity];
  for (let day = 0; day < 7; day++) {
    const excess = middles[day] - all || 0;
    if (excess < least) least = excess;
    if (excess > most) most = excess;
  }
  // Comparing weekdays moves two numbers apart by at most this.
  const apart = most - least;
  // A tolerance for rounding.
  const near = nearestShift() - 1e-9 - apart;
  let newest = length - 3;
  while (newest < length && Math.abs(logs[newest] - all) < near) newest++;
  if (newest === length || !mayShift(logs, sorted, apart)) return true;
  const within = LESS_BY_DAY * quantileOfSorted(distancesFrom(sorted, all), BY_DAY_PART);
  let count = 0;
  for (let at = 0; at < length; at++) {
    const adjusted = logs[at] - (middles[days[at]] - all || 0);
    if (Math.abs(adjusted - all) < within) count++;
  }
  const isByDay = count > Math.floor((length - 1) * BY_DAY_PART);
  return !isByDay && !mayShift(logs, sorted);
}

/** The most distinct shift. */
function bestShift({ measured, logs, days, sorted, middles }: Levels): Shift | null {
  const all = quantileOfSorted(sorted, 0.5);
  const adjusted = logs.map((log, at) => log - (middles[days[at]] - all || 0));
  const inOrder = sortedOf(adjusted);
  if (!mayShift(logs, sorted) && !mayShift(adjusted, inOrder)) return null;
  // If weekdays differ, numbers are compared with the same weekday.
  const spread = (numbers: ArrayLike<number>) =>
    quantileOfSorted(distancesFrom(numbers, all), BY_DAY_PART);
  const isByDay = spread(inOrder) < LESS_BY_DAY * spread(sorted);
  const levels = isByDay ? adjusted : logs;
  const usual = quantileOfSorted(isByDay ? inOrder : sorted, 0.5);
  const near = nearestShift();
  const isNear = (level: number) => Math.abs(level - usual) < near;
  if (levels.slice(-3).every(isNear)) return null;
  let best: { readonly count: number; readonly strength: number } | null = null;
  const { above, below } = farFrom(isByDay ? inOrder : sorted);
  let [higher, lower] = [0, 0];
  for (let count = 1; count <= Math.min(MOST_SINCE, levels.length - FEWEST_BEFORE); count++) {
    const first = levels[levels.length - count];
    if (first >= above) higher++;
    if (first <= below) lower++;
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

/**
 * Whether half of the newest numbers, however many, are far enough from the median of those before.
 *
 * @param apart By how much comparing weekdays may still move two numbers apart.
 */
function mayShift(levels: readonly number[], sorted: ArrayLike<number>, apart = 0): boolean {
  const { length } = levels;
  const most = Math.min(MOST_SINCE, length - FEWEST_BEFORE);
  const { above, below } = farFrom(sorted, apart);
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

/**
 * From where on a number is far enough above or below the median of those before some of the
 * newest, however many these are.
 */
function farFrom(sorted: ArrayLike<number>, apart = 0) {
  const { length } = sorted;
  const fewest = Math.min(MOST_BEFORE, Math.max(FEWEST_BEFORE, length - MOST_SINCE));
  // Half of those before are at or below their median.
  const half = (fewest - 1) >> 1;
  // A tolerance, so that rounding leaves out no number at the bound.
  const least = Math.log(LEAST_FACTOR) - 1e-9 - apart;
  return { above: sorted[half] + least, below: sorted[length - 1 - half] - least };
}

/** If the newest three are closer than this to what is usual, there is no shift. */
function nearestShift(): number {
  return Math.log(LEAST_FACTOR) / 2;
}

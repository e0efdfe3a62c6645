/** Finds fixed times of day at which runs may be due, from their local times. */

import { DAY, MINUTE } from "../../time_units.ts";
const DAY_MINUTES = 1440;
/** Runs within this many minutes of each other may have the same time of day. */
const RESOLUTIONS = [2, 6, 15, 45, 120];
/** A plan with more times a day than this consists of steps. */
const MAX_TIMES = 12;
/** A time of day has at least this share of the runs of the most common one. */
const RAREST = 0.04;
/** Times that explain a smaller share of the runs are not their plan. */
const MIN_EXPLAINED = 0.3;

/** Times of day, and the days on which something started at them. */
export interface Group {
  readonly minutes: readonly number[];
  readonly days: readonly number[];
  readonly bits: number;
}

/** Groups of fixed times of day, coarse and fine. */
export function* fixedGroups(local: Float64Array): Generator<Group[]> {
  const ofDay = local.map((time) => (time % DAY + DAY) % DAY / MINUTE);
  const order = Uint32Array.from(ofDay.keys()).sort((a, b) => ofDay[a] - ofDay[b]);
  const begin = afterLargestGap(ofDay, order);
  const seen = new Set<string>();
  for (const resolution of RESOLUTIONS) {
    const clusters: number[][] = [];
    let before = -Infinity;
    for (let at = 0; at < order.length; at++) {
      const index = order[(begin + at) % order.length];
      const minute = ofDay[index] + (begin + at >= order.length ? DAY_MINUTES : 0);
      if (minute - before > resolution) clusters.push([]);
      clusters.at(-1)!.push(index);
      before = minute;
      if (clusters.length > 200) break;
    }
    const largest = Math.max(...clusters.map(({ length }) => length));
    const strong = clusters.filter(({ length }) => length >= Math.max(2, largest * RAREST));
    if (strong.length === 0 || strong.length > MAX_TIMES) continue;
    const explained = strong.reduce((sum, { length }) => sum + length, 0);
    if (explained < MIN_EXPLAINED * order.length) continue;
    for (const isQuarter of [false, true]) {
      const groups = strong.map((members) => groupAt(members, local, ofDay, isQuarter));
      const key = groups.map(({ minutes, days }) => `${minutes} ${days.length}`).join();
      if (seen.has(key)) continue;
      seen.add(key);
      yield groups;
    }
  }
}

/** The index in `order` after the longest part of the day in which nothing starts. */
function afterLargestGap(values: Float64Array, order: Uint32Array): number {
  const last = order.length - 1;
  let largest = values[order[0]] + DAY_MINUTES - values[order[last]];
  let begin = 0;
  for (let at = 1; at <= last; at++) {
    const gap = values[order[at]] - values[order[at - 1]];
    if (gap > largest) {
      largest = gap;
      begin = at;
    }
  }
  return begin;
}

/** The time of day that best explains some runs, or the quarter of an hour before them. */
function groupAt(
  members: readonly number[],
  local: Float64Array,
  ofDay: Float64Array,
  isQuarter: boolean,
): Group {
  // Minutes count from the first start, which may be just before midnight.
  const first = ofDay[members[0]];
  const after = members.map((index) => (ofDay[index] - first + DAY_MINUTES) % DAY_MINUTES)
    .sort((a, b) => a - b);
  const minute = isQuarter
    ? Math.floor((first + 0.75) / 15) * 15 % DAY_MINUTES
    : bestTime(first, after);
  const days: number[] = [];
  for (const index of [...members].sort((a, b) => a - b)) {
    // A run a minute early still belongs to that day.
    const day = Math.floor((local[index] - minute * MINUTE + MINUTE) / DAY);
    if (day !== days.at(-1)) days.push(day);
  }
  return { minutes: [minute], days, bits: bitsOfMinute(minute) };
}

export function bitsOfMinute(minute: number): number {
  if (minute % 60 === 0) return 5;
  if (minute % 30 === 0) return 6.5;
  if (minute % 15 === 0) return 7.5;
  if (minute % 5 === 0) return 9;
  return 12.5;
}

/** The time that best explains runs that started some minutes after a first one. */
function bestTime(
  first: number,
  after: readonly number[],
): number {
  // The first few may be early, or have another reason.
  const start = first + after[Math.floor(after.length * 0.02)];
  const usual = after.slice(0, Math.max(1, after.length - Math.round(after.length * 0.05)));
  const mean = usual.reduce((sum, minutes) => sum + minutes, 0) / usual.length + first;
  let best = { minute: 0, bits: Infinity };
  for (const round of [60, 30, 15, 5, 1]) {
    // A start some seconds before a round time is early for it; before any other minute, it is late
    // for the minute before.
    const mostEarly = round === 1 ? 0.25 : 0.75;
    for (const latest of [start, start + mostEarly]) {
      const minute = Math.floor(latest / round) * round;
      const lateness = Math.max(0.25, mean - minute);
      const early = minute > start ? 2 * after.length * 0.3 : 0;
      const bits = bitsOfMinute(minute) + early + after.length * Math.log2(lateness);
      if (bits < best.bits) best = { minute, bits };
    }
  }
  return (best.minute + DAY_MINUTES) % DAY_MINUTES;
}

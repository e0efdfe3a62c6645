/** Steps of minutes, all day or within hours, at which runs may be due. */
import { bestTime, bitsOfMinute, type Group } from "./fixed_times.ts";

const MINUTE = 60_000;
const DAY_MINUTES = 1440;

/** If a smaller share of the runs have a step of their own, the others follow no plan. */
const LEAST_ONE_TO_ONE = 0.6;
/** Steps in minutes: divisors of a day. */
const STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 360, 480, 720];
/** Steps that people rarely choose. */
const ODD_STEPS = [1, 2, 3, 4, 6, 12, 40, 45, 90];
const ODD_STEP_BITS = 5;
/** "Every n minutes" takes this many bits, however many slots it has. */
const STEP_BITS = 10;
/** "Within hours" takes this many more; nearly all day is rarely meant. */
const HOURS_BITS = 4;
/** Nobody leaves out less of the day than this many minutes: smaller gaps are misses. */
const LEAST_LEFT_OUT = 60;
/** Bits of each further minute of the hour. */
const MINUTE_BITS = 7;
/** Starts this many minutes before a slot may be for it. */
const MOST_EARLY = 0.25;
/** With more slots than this for each run, nearly all slots would be missed. */
const MOST_SLOTS_A_RUN = 8;

/** The numbers of the first and the last slot; after midnight they count on. */
type Range = readonly [from: number, through: number];

/** Groups of steps within hours. */
export function* stepGroups(local: Float64Array): Generator<Group[]> {
  const count = local.length;
  if (count < 4) return;
  const span = (local[count - 1] - local[0]) / MINUTE;
  for (const step of STEPS) {
    // With too many slots for each run, or fewer than half a slot, steps are no plan.
    const slots = span / step;
    if (slots * 1.9 < count) break;
    yield* stepGroup(local, step);
  }
  yield* hourGroups(local);
}

function* stepGroup(local: Float64Array, step: number): Generator<Group[]> {
  const after = local.map((time) => (time / MINUTE % step + step) % step);
  for (const offset of stepOffsets(after.sort(), step)) {
    const bits = STEP_BITS + bitsOfMinute(offset) - 5 +
      (ODD_STEPS.includes(step) ? ODD_STEP_BITS : 0);
    yield* withinHours(local, step, [offset], bits);
  }
}

/** Several minutes of each hour that are not steps. */
function* hourGroups(local: Float64Array): Generator<Group[]> {
  const ofHour = local.map((time) => (time / MINUTE % 60 + 60) % 60);
  const sorted = ofHour.slice().sort();
  for (const resolution of [2, 6]) {
    const clusters: number[][] = [];
    for (let at = 0; at < sorted.length && clusters.length < 6; at++) {
      if (at === 0 || sorted[at] - sorted[at - 1] > resolution) clusters.push([]);
      clusters.at(-1)!.push(sorted[at]);
    }
    const strong = clusters.filter(({ length }) => length * clusters.length * 4 > local.length);
    if (strong.length < 2 || strong.length > 4) continue;
    const times = strong.map((cluster) =>
      bestTime(cluster[0], cluster.map((minute) => minute - cluster[0]))
    );
    const offsets = times.map(({ minute }) => minute % 60).sort((a, b) => a - b);
    const bits = STEP_BITS + times[0].bits - 5 + MINUTE_BITS * (strong.length - 1);
    yield* withinHours(local, 60, offsets, bits);
  }
}

/** Steps all day, and within the hours that are in use. */
function* withinHours(
  local: Float64Array,
  step: number,
  offsets: readonly number[],
  bits: number,
): Generator<Group[]> {
  const perDay = DAY_MINUTES / step;
  const slots: { slot: number; day: number }[] = [];
  const counts = new Array<number>(perDay).fill(0);
  const numberOf = (time: number) =>
    Math.floor((time / MINUTE - offsets[0] + Math.min(0.75, step / 10)) / step);
  let before = -1;
  for (const time of local) {
    const number = numberOf(time);
    if (number === before) continue;
    before = number;
    const slot = (number % perDay + perDay) % perDay;
    counts[slot]++;
    slots.push({ slot, day: Math.floor(number / perDay) });
  }
  const minutesFrom = (from: number, through: number) => {
    const minutes: number[] = [];
    for (let at = from; at <= through; at++) {
      for (const offset of offsets) minutes.push(offset + at % perDay * step);
    }
    return minutes;
  };
  const used = counts.filter((count) => count > 0).length;
  if (used < 2 || slots.length * offsets.length < LEAST_ONE_TO_ONE * local.length) return;
  const span = numberOf(local[local.length - 1]) - numberOf(local[0]);
  const isDense = span * offsets.length < MOST_SLOTS_A_RUN * local.length;
  if (isDense && (used > perDay / 4 || local.length < 2 * perDay)) {
    yield [{ minutes: minutesFrom(0, perDay - 1), days: daysOf(slots), bits }];
  }
  // Hours count as left out only if the runs skipped them.
  if (span < perDay) return;
  const range = usedRange(counts);
  if (range === null) return;
  for (const [from, through] of withWholeHours(range, step)) {
    if ((perDay - 1 - through + from) * step < LEAST_LEFT_OUT) continue;
    const minutes = minutesFrom(from, through);
    if (minutes.length * span / perDay > 2 * MOST_SLOTS_A_RUN * local.length) continue;
    const isMost = (through - from + 1) / perDay > 0.75;
    const rangeBits = bits + HOURS_BITS + (isMost ? HOURS_BITS + Math.log2(perDay) : 0) +
      (isWholeHours(minutes, step) ? 0 : 2);
    if (through < perDay) {
      const days = daysOf(slots.filter(({ slot }) => slot >= from && slot <= through));
      yield [{ minutes, days, bits: rangeBits }];
      continue;
    }
    // If the hours span midnight, the runs after it may be on other weekdays.
    const evening = slots.filter(({ slot }) => slot >= from);
    const morning = slots.filter(({ slot }) => slot <= through - perDay);
    yield [
      { minutes: minutesFrom(from, perDay - 1), days: daysOf(evening), bits: rangeBits },
      { minutes: minutesFrom(0, through - perDay), days: daysOf(morning), bits: 0 },
    ];
  }
}

/**
 * A range of slots, and the whole hours that it is in: people leave out hours, and a few runs may
 * all have missed the first slot of one.
 */
function withWholeHours([from, through]: Range, step: number): Range[] {
  const perHour = 60 / step;
  if (!Number.isInteger(perHour)) return [[from, through]];
  const first = from - from % perHour;
  const last = through + perHour - 1 - through % perHour;
  return first === from && last === through ? [[from, through]] : [[from, through], [first, last]];
}

/** Minutes at which steps may begin, roundest first; none if starts are spread evenly. */
function stepOffsets(sorted: Float64Array, step: number): number[] {
  const count = sorted.length;
  // A few runs may be anywhere: the largest gap that leaves out at most 3 %.
  const tolerated = Math.floor(count * 0.03);
  let best = { gap: -1, start: 0 };
  for (let at = 0; at < count; at++) {
    const next = at + 1 + tolerated;
    const end = next < count ? sorted[next] : sorted[next - count] + step;
    const gap = end - sorted[at];
    if (gap > best.gap) best = { gap, start: sorted[(at + 1 + tolerated) % count] };
  }
  if (best.gap < step * 0.06) return [];
  const offsets = new Set<number>();
  for (const round of [60, 30, 15, 5]) {
    if (round > step) continue;
    // As round as the free time before it allows, but at most a tenth of the used time after it.
    const rounder = Math.floor((best.start + Math.min(0.75, step / 10)) / round) * round;
    const used = step - best.gap;
    if (best.start - rounder <= Math.max(0, Math.min(best.gap * 0.9, used * 0.25))) {
      offsets.add((rounder % step + step) % step);
    }
  }
  if (offsets.size > 0) return [...offsets];
  // Some may start seconds early.
  const minutes = [best.start, best.start + MOST_EARLY].map(Math.floor);
  return [...new Set(minutes.map((minute) => (minute % step + step) % step))];
}

/** The range of slots of the day that are in use; it may span midnight. */
function usedRange(counts: readonly number[]): Range | null {
  const most = Math.max(...counts);
  const isUsed = counts.map((count) => count >= Math.max(1, most * 0.25));
  const used = isUsed.filter(Boolean).length;
  if (used < 2 || used === counts.length) return null;
  // The largest unused part of the day is outside.
  let best = { length: 0, end: 0 };
  let length = 0;
  for (let at = 0; at < 2 * counts.length; at++) {
    length = isUsed[at % counts.length] ? 0 : length + 1;
    if (length > best.length) best = { length, end: (at + 1) % counts.length };
  }
  const from = best.end;
  const through = from + counts.length - best.length - 1;
  // Holes inside would be missed every day.
  return through - from + 1 > used * 3 ? null : [from, through];
}

function isWholeHours(minutes: readonly number[], step: number): boolean {
  if (step >= 60) return true;
  const perHour = 60 / step;
  return minutes.length % perHour === 0 && minutes[0] % 60 < step;
}

function daysOf(slots: readonly { readonly day: number }[]): number[] {
  const days: number[] = [];
  for (const { day } of slots) if (day !== days.at(-1)) days.push(day);
  return days;
}

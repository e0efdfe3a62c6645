/** Finds steps of minutes, all day or within hours, at which runs may be due. */
import { MINUTE } from "../../time_units.ts";
import { bitsOfMinute, type Group } from "./fixed_times.ts";

const DAY_MINUTES = 1440;
/** At least this share of the runs must have a step of their own. */
const MIN_ONE_TO_ONE = 0.6;
/** Steps in minutes: divisors of a day. */
const STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 360, 480, 720];
/** "Every n minutes" takes this many bits, however many slots it has. */
const STEP_BITS = 10;
/** "Within hours" takes this many more. */
const HOURS_BITS = 4;
/** Nobody leaves out less of the day than this many minutes: smaller gaps are misses. */
const MIN_LEFT_OUT = 60;
/** A run may start this many minutes before its slot. */
const MAX_EARLY = 0.25;
/** With more slots than this for each run, nearly all slots would be missed. */
const MAX_SLOTS_A_RUN = 8;

/** The numbers of the first and the last slot of a day, which continue after midnight. */
type Range = readonly [from: number, through: number];

export function* stepGroups(local: Float64Array): Generator<Group[]> {
  for (const step of STEPS) {
    const after = local.map((time) => (time / MINUTE % step + step) % step).sort();
    for (const offset of stepOffsets(after, step)) yield* withinHours(local, step, offset);
  }
}

/** Steps all day, and within the hours in which runs start. */
function* withinHours(local: Float64Array, step: number, offset: number): Generator<Group[]> {
  const perDay = DAY_MINUTES / step;
  const bits = STEP_BITS + bitsOfMinute(offset) - 5;
  const slots: { slot: number; day: number }[] = [];
  const counts = new Array<number>(perDay).fill(0);
  const numberOf = (time: number) =>
    Math.floor((time / MINUTE - offset + Math.min(0.75, step / 10)) / step);
  let before = -1;
  for (const time of local) {
    const number = numberOf(time);
    if (number === before) continue;
    before = number;
    const slot = (number % perDay + perDay) % perDay;
    counts[slot]++;
    slots.push({ slot, day: Math.floor(number / perDay) });
  }
  const minutesFrom = (from: number, through: number) =>
    Array.from({ length: through - from + 1 }, (_, at) => offset + (from + at) * step);
  const used = counts.filter((count) => count > 0).length;
  if (used < 2 || slots.length < MIN_ONE_TO_ONE * local.length) return;
  const span = numberOf(local[local.length - 1]) - numberOf(local[0]);
  const isDense = span < MAX_SLOTS_A_RUN * local.length;
  if (isDense && (used > perDay / 4 || local.length < 2 * perDay)) {
    yield [{ minutes: minutesFrom(0, perDay - 1), days: daysOf(slots), bits }];
  }
  // Hours are left out only if runs have passed over them.
  const range = span < perDay ? null : usedRange(counts);
  if (range === null) return;
  const within = (first: number, last: number, bits: number): Group => ({
    minutes: minutesFrom(first, last),
    days: daysOf(slots.filter(({ slot }) => slot >= first && slot <= last)),
    bits,
  });
  for (const { from, through, isWhole } of withWholeHours(range, step)) {
    const length = through - from + 1;
    if ((perDay - length) * step < MIN_LEFT_OUT) continue;
    if (length * span / perDay > 2 * MAX_SLOTS_A_RUN * local.length) continue;
    const rangeBits = bits + HOURS_BITS + (isWhole ? 0 : 2);
    if (through < perDay) yield [within(from, through, rangeBits)];
    // If the hours span midnight, the runs after it are on the next weekday.
    else yield [within(from, perDay - 1, rangeBits), within(0, through - perDay, 0)];
  }
}

/** A range of slots, and its whole hours, because a few runs may all have missed the first slot. */
function withWholeHours([from, through]: Range, step: number) {
  const perHour = Math.max(1, Math.floor(60 / step));
  const first = from - from % perHour;
  const last = through + perHour - 1 - through % perHour;
  const whole = { from: first, through: last, isWhole: true };
  if (first === from && last === through) return [whole];
  return [{ from, through, isWhole: false }, whole];
}

/** The minutes at which steps may begin, roundest first; none if starts are spread evenly. */
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
  // Runs may start some seconds early.
  const minutes = [best.start, best.start + MAX_EARLY].map(Math.floor);
  return [...new Set(minutes.map((minute) => (minute % step + step) % step))];
}

/** The range of a day's slots in which runs start; it may span midnight. */
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
  return [from, from + counts.length - best.length - 1];
}

function daysOf(slots: readonly { readonly day: number }[]): number[] {
  const days: number[] = [];
  for (const { day } of slots) if (day !== days.at(-1)) days.push(day);
  return days;
}

/** Proposes times of day at which runs may be due: fixed ones, and steps of minutes. */
import { DAY, MINUTE } from "../../time_units.ts";
import * as numbers from "./numbers.ts";

const DAY_MINUTES = 1440;

/** Times of day that share their days. */
export interface Times {
  readonly minutes: readonly number[];
  readonly bits: number;
}

/** Sets of times for sorted local starts; each set may explain all of them. */
export function* timesOfDay(local: Float64Array): Generator<Times[]> {
  yield* fixedTimes(local);
  yield* stepTimes(local);
}

/**
 * The cheapest minute for some runs, sorted by how many minutes after `first` they started. From
 * 08:01 on, 0, 1, 2 and 2 minutes -> 08:00; ten times 08:07 -> 08:07.
 */
function cheapestMinute(first: number, after: readonly number[], mostRound: number): number {
  const usual = after.slice(0, Math.ceil(after.length * numbers.USUAL_SHARE));
  const mean = first + usual.reduce((sum, minutes) => sum + minutes, 0) / usual.length;
  let best = { minute: 0, bits: Infinity };
  for (const [round, roundBits] of [...numbers.ROUND_MINUTE_BITS, [1, numbers.ANY_MINUTE_BITS]]) {
    if (round > mostRound) continue;
    const early = round === 1 ? numbers.MINUTES_EARLY_FOR.any : numbers.MINUTES_EARLY_FOR.round;
    const minute = Math.floor((first + early) / round) * round;
    const late = Math.max(numbers.MINUTES_EARLY_FOR.any, mean - minute);
    const bits = roundBits + after.length * Math.log2(late);
    if (bits < best.bits) best = { minute, bits };
  }
  return best.minute;
}

/** The bits of a minute of the day: 08:00 -> 5, 08:30 -> 6.5, 08:07 -> 12.5. */
function minuteBits(minute: number): number {
  return numbers.ROUND_MINUTE_BITS.find(([round]) => minute % round === 0)?.[1] ??
    numbers.ANY_MINUTE_BITS;
}

/**
 * Clusters of starts, each at its cheapest minute. One run at 08:01, one at 08:02, two at 08:03 and
 * four at 17:30 -> 08:00 and 17:30.
 */
function* fixedTimes(local: Float64Array): Generator<Times[]> {
  const sorted = local.map((time) => (time % DAY + DAY) % DAY / MINUTE).sort();
  // A cluster may span midnight, so the day begins after the longest time without a start.
  const gapBefore = (at: number) =>
    at === 0 ? sorted[0] + DAY_MINUTES - sorted[sorted.length - 1] : sorted[at] - sorted[at - 1];
  let begin = 0;
  for (let at = 1; at < sorted.length; at++) if (gapBefore(at) > gapBefore(begin)) begin = at;
  const inOrder = [
    ...sorted.subarray(begin),
    ...sorted.subarray(0, begin).map((minute) => minute + DAY_MINUTES),
  ];
  for (const resolution of numbers.CLUSTER_MINUTES) {
    const clusters = [[inOrder[0]]];
    for (let at = 1; at < inOrder.length; at++) {
      if (inOrder[at] - inOrder[at - 1] <= resolution) clusters.at(-1)!.push(inOrder[at]);
      else clusters.push([inOrder[at]]);
    }
    const largest = Math.max(...clusters.map(({ length }) => length));
    const common = clusters.filter(({ length }) =>
      length >= Math.max(numbers.MIN_RUNS_AT_A_TIME, largest * numbers.RAREST_TIME_SHARE)
    );
    if (common.length === 0 || common.length > numbers.MAX_TIMES_A_DAY) continue;
    yield common.map((members) => {
      const [first] = members;
      const minute = cheapestMinute(first, members.map((each) => each - first), 60);
      const ofDay = (minute + DAY_MINUTES) % DAY_MINUTES;
      return { minutes: [ofDay], bits: minuteBits(ofDay) };
    });
  }
}

/** Every n minutes, all day or within the hours in which runs start. */
function* stepTimes(local: Float64Array): Generator<Times[]> {
  for (const step of numbers.STEPS) {
    for (const offset of stepOffsets(local, step)) yield* stepsFrom(local, step, offset);
  }
}

/**
 * Steps from an offset on. Hourly runs from 08:00 through 18:00 on three days, step 60, offset 0 ->
 * every hour of the day for 10 bits, and 08:00, 09:00 … 18:00 for 18.
 */
function* stepsFrom(local: Float64Array, step: number, offset: number): Generator<Times[]> {
  const perDay = DAY_MINUTES / step;
  const early = Math.min(numbers.MINUTES_EARLY_FOR.round, step * numbers.EARLY_SHARE);
  const steps = [
    ...new Set(local.map((time) => Math.floor((time / MINUTE - offset + early) / step))),
  ];
  const span = steps.at(-1)! - steps[0];
  const counts = new Array<number>(perDay).fill(0);
  for (const each of steps) counts[(each % perDay + perDay) % perDay]++;
  if (steps.length < numbers.OWN_STEP_SHARE * local.length || steps.length < 2) return;
  const bits = numbers.STEP_BITS + minuteBits(offset) - minuteBits(0);
  const minutes = (from: number, through: number) =>
    Array.from({ length: through - from + 1 }, (_, at) => offset + (from + at) * step);
  if (span < numbers.MAX_STEPS_A_RUN.allDay * local.length) {
    yield [{ minutes: minutes(0, perDay - 1), bits }];
  }
  // Hours are left out only if a whole day has passed over them.
  if (span < perDay) return;
  const used = usedHours(counts);
  if (used === null) return;
  const [from, through] = used;
  const length = through - from + 1;
  if (length * span / perDay > numbers.MAX_STEPS_A_RUN.withinHours * local.length) return;
  const hoursBits = bits + numbers.HOURS_BITS;
  if (through < perDay) yield [{ minutes: minutes(from, through), bits: hoursBits }];
  // If the hours span midnight, the runs after it are on the next weekday.
  else {
    yield [
      { minutes: minutes(from, perDay - 1), bits: hoursBits },
      { minutes: minutes(0, through - perDay), bits: 0 },
    ];
  }
}

/**
 * The minutes at which a step may begin; none if starts are spread evenly over it. Half a minute
 * after 00:05, 00:20, 00:35 …, step 15 -> 5.
 */
function stepOffsets(local: Float64Array, step: number): Set<number> {
  const sorted = local.map((time) => (time / MINUTE % step + step) % step).sort();
  const count = sorted.length;
  const at = (index: number) => sorted[index % count] + (index >= count ? step : 0);
  const offsets = new Set<number>();
  for (const tolerated of new Set([0, Math.floor(count * numbers.ANYWHERE_SHARE)])) {
    // The largest gap, with few runs in it: the used part of the step begins after it.
    let [first, largest] = [0, -1];
    for (let index = 0; index < count; index++) {
      const gap = at(index + 1 + tolerated) - at(index);
      if (gap > largest) [first, largest] = [(index + 1 + tolerated) % count, gap];
    }
    if (largest < step * numbers.MIN_FREE_SHARE) continue;
    const after = Array.from(sorted, (each) => (each - sorted[first] + step) % step)
      .sort((a, b) => a - b);
    offsets.add((cheapestMinute(sorted[first], after, step) % step + step) % step);
  }
  return offsets;
}

/**
 * The steps of a day in which runs start; null if in all. They may span midnight: 22, 23, 0, 1 and 2,
 * step 60 -> 22 through 26.
 */
function usedHours(counts: readonly number[]): readonly [from: number, through: number] | null {
  const most = Math.max(...counts);
  const isUsed = counts.map((count) => count >= Math.max(1, most * numbers.OUTSIDE_SHARE));
  if (isUsed.every(Boolean)) return null;
  // The longest unused part of the day is outside.
  let [length, longest, from] = [0, 0, 0];
  for (let at = 0; at < 2 * counts.length; at++) {
    length = isUsed[at % counts.length] ? 0 : length + 1;
    if (length > longest) [longest, from] = [length, (at + 1) % counts.length];
  }
  return [from, from + counts.length - longest - 1];
}

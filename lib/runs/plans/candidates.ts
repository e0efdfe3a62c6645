/**
 * Plans that may explain some runs, made from their local times of day and days.
 *
 * @module
 */
import type { Candidate } from "./cost.ts";
import { type CronRule, readTimes, weekOf } from "./cron.ts";
import { bestDays, type DayChoice, rangesOf } from "./day_choices.ts";
import type { ZoneClock } from "./zone_clock.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const DAY_MINUTES = 1440;

/** Times of day within so many minutes of one another may be one. */
const RESOLUTIONS = [2, 6, 15, 45, 120];
/** Of fewer runs nothing tells how they scatter. */
const FEWEST_SCATTERED = 16;
/** More times a day than this are steps, if they are a plan. */
const MOST_TIMES = 12;
/** Times that fewer of the runs start at are no plan of theirs. */
const LEAST_EXPLAINED = 0.3;
/** Times of day that have days of their own each are no more than this. */
const MOST_OWN_DAYS = 4;
/** Where fewer of the runs have a step of their own, the others are no plan's. */
const LEAST_ONE_TO_ONE = 0.6;
/** Steps in minutes: those that a day is a multiple of. */
const STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 360, 480, 720];
/** Steps that people seldom choose. */
const ODD_STEPS = [1, 2, 3, 4, 6, 12, 40, 45, 90];
const ODD_STEP_BITS = 5;
/** "Every n minutes" takes so many bits, however many slots it has. */
const STEP_BITS = 10;
/** "Within hours" takes so many more; nearly the whole day is seldom meant. */
const HOURS_BITS = 4;
/** Nobody leaves out fewer minutes of the day: those are misses. */
const LEAST_LEFT_OUT = 60;
/** Each further minute of the hour. */
const MINUTE_BITS = 7;

/** With more slots than so many for each run, nearly all would be missed. */
const MOST_SLOTS_A_RUN = 8;

/** A zone that a plan may be meant in. */
export interface CandidateZone {
  readonly clock: ZoneClock;
  /** What it takes to say it: nothing for the reader's own. */
  readonly bits: number;
}

/** Times of day, and the days on which something started at them. */
interface Group {
  readonly minutes: readonly number[];
  readonly days: readonly number[];
  readonly bits: number;
}

/**
 * Plans that may explain runs.
 *
 * @param times When they started, in order.
 * @param zone The zone that the plans are meant in.
 * @returns The plans, in no order.
 */
export function candidatesFor(times: Float64Array, zone: CandidateZone): Candidate[] {
  const local = zone.clock.toLocal(times);
  const found = new Map<string, Candidate>();
  for (const groups of [...fixedGroups(local), ...stepGroups(local)]) {
    for (const candidate of plansOf(groups, local, zone)) found.set(candidate.key, candidate);
  }
  return [...found.values()];
}

/** Groups of fixed times of the day, coarse and fine. */
function* fixedGroups(local: Float64Array): Generator<Group[]> {
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
    for (const least of [Math.max(2, largest * 0.3), Math.max(2, largest * 0.04)]) {
      const strong = clusters.filter(({ length }) => length >= least);
      if (strong.length === 0 || strong.length > MOST_TIMES) continue;
      const explained = strong.reduce((sum, { length }) => sum + length, 0);
      if (explained < LEAST_EXPLAINED * order.length) continue;
      for (const round of order.length < FEWEST_SCATTERED ? [0] : [0, 5, 15, 30]) {
        const groups = strong.map((members) => groupAt(members, local, ofDay, round));
        const key = groups.map(({ minutes, days }) => `${minutes} ${days.length}`).join();
        if (seen.has(key)) continue;
        seen.add(key);
        yield groups;
      }
    }
  }
}

/** The place in order after the largest part of the day, or of an hour, without anything. */
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

/**
 * One time of the day for runs that started about then: what explains them best, or a round one
 * that is before all of them.
 */
function groupAt(
  members: readonly number[],
  local: Float64Array,
  ofDay: Float64Array,
  round: number,
): Group {
  // Minutes count from the first, which may be before a midnight that others are after.
  const first = ofDay[members[0]];
  const after = members.map((index) => (ofDay[index] - first + DAY_MINUTES) % DAY_MINUTES)
    .sort((a, b) => a - b);
  const isScattered = after[after.length >> 1] > 2;
  const { minute, bits } = round === 0 || !isScattered
    ? bestTime(first, after)
    : roundTime(first, round);
  const days: number[] = [];
  for (const index of [...members].sort((a, b) => a - b)) {
    // A minute early is still of that day.
    const day = Math.floor((local[index] - minute * MINUTE + MINUTE) / DAY);
    if (day !== days.at(-1)) days.push(day);
  }
  return { minutes: [minute], days, bits };
}

/** What it takes to say a minute. */
function bitsOfMinute(minute: number): number {
  if (minute % 60 === 0) return 5;
  if (minute % 30 === 0) return 6.5;
  if (minute % 15 === 0) return 7.5;
  if (minute % 5 === 0) return 9;
  return 12.5;
}

/** The time that explains best what started some minutes after a first one. */
function bestTime(
  first: number,
  after: readonly number[],
): { readonly minute: number; readonly bits: number } {
  // A few that came before all others are early, or something else.
  const start = first + after[Math.floor(after.length * 0.02)];
  const kept = after.slice(0, Math.max(1, after.length - Math.round(after.length * 0.05)));
  const mean = kept.reduce((sum, minutes) => sum + minutes, 0) / kept.length + first;
  let best = { minute: 0, bits: Infinity, total: Infinity };
  for (const round of [60, 30, 15, 5, 1]) {
    // What starts some seconds before the full hour means the full hour.
    for (
      const minute of [
        Math.floor(start / round) * round,
        Math.floor((start + 0.75) / round) * round,
      ]
    ) {
      const lateness = Math.max(0.25, mean - minute);
      const early = minute > start ? 2 * after.length * 0.3 : 0;
      const bits = bitsOfMinute(minute);
      const total = bits + early + after.length * Math.log2(lateness);
      if (total < best.total) best = { minute, bits, total };
    }
  }
  return { minute: (best.minute + DAY_MINUTES) % DAY_MINUTES, bits: best.bits };
}

/** The last round time before all that started. */
function roundTime(first: number, round: number) {
  const minute = Math.floor((first + 0.75) / round) * round % DAY_MINUTES;
  return { minute, bits: bitsOfMinute(minute) };
}

/** Groups of steps within hours. */
function* stepGroups(local: Float64Array): Generator<Group[]> {
  const count = local.length;
  if (count < 4) return;
  const span = (local[count - 1] - local[0]) / MINUTE;
  for (const step of STEPS) {
    // More slots than a few for each run, or fewer than half a slot, are no plan.
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

/** Several minutes of each hour, where they are no steps. */
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

/** Steps on the whole day, and within the hours that are in use. */
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
  // Hours count as left out only where the runs passed over them.
  if (span < perDay) return;
  const range = usedRange(counts);
  if (range === null) return;
  const [from, through] = range;
  if ((perDay - 1 - through + from) * step < LEAST_LEFT_OUT) return;
  const minutes = minutesFrom(from, through);
  if (minutes.length * span / perDay > 2 * MOST_SLOTS_A_RUN * local.length) return;
  const isMost = (through - from + 1) / perDay > 0.75;
  const rangeBits = bits + HOURS_BITS + (isMost ? HOURS_BITS + Math.log2(perDay) : 0) +
    (isWholeHours(minutes, step) ? 0 : 2);
  if (through < perDay) {
    const days = daysOf(slots.filter(({ slot }) => slot >= from && slot <= through));
    yield [{ minutes, days, bits: rangeBits }];
    return;
  }
  // Across midnight: what is after it may be of other weekdays.
  const evening = slots.filter(({ slot }) => slot >= from);
  const morning = slots.filter(({ slot }) => slot <= through - perDay);
  yield [
    { minutes: minutesFrom(from, perDay - 1), days: daysOf(evening), bits: rangeBits },
    { minutes: minutesFrom(0, through - perDay), days: daysOf(morning), bits: 0 },
  ];
}

/** Minutes at which steps may begin, the roundest first; none where starts are spread evenly. */
function stepOffsets(sorted: Float64Array, step: number): number[] {
  const count = sorted.length;
  // Few runs may be anywhere: the largest gap that leaves out no more than 3 %.
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
    // As round as what is free before it, but no more than a tenth of what is used after it.
    const rounder = Math.floor((best.start + Math.min(0.75, step / 10)) / round) * round;
    const used = step - best.gap;
    if (best.start - rounder <= Math.max(0, Math.min(best.gap * 0.9, used * 0.25))) {
      offsets.add((rounder % step + step) % step);
    }
  }
  return offsets.size > 0 ? [...offsets] : [(Math.floor(best.start) % step + step) % step];
}

/** The range of slots of the day that are in use; it may go past midnight. */
function usedRange(counts: readonly number[]): [from: number, through: number] | null {
  const most = Math.max(...counts);
  const isUsed = counts.map((count) => count >= Math.max(1, most * 0.25));
  const used = isUsed.filter(Boolean).length;
  if (used < 2 || used === counts.length) return null;
  // The largest part of the day that is not in use is outside.
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

/** Plans of groups: with days that all share, and with days for each. */
function* plansOf(
  groups: readonly Group[],
  local: Float64Array,
  zone: CandidateZone,
): Generator<Candidate> {
  const used = groups.filter(({ days }) => days.length > 0);
  if (used.length === 0) return;
  const all = [...new Set(used.flatMap(({ days }) => days))].sort((a, b) => a - b);
  const from = Math.min(all[0], Math.floor(local[0] / DAY));
  const through = Math.max(all.at(-1)!, Math.floor(local[local.length - 1] / DAY));
  for (const { choice } of bestDays(all, from, through, used.length > 1 ? 2 : 3)) {
    yield planOf(used.map((group) => ({ group, choice })), zone);
  }
  if (used.length === 1 || used.length > MOST_OWN_DAYS) return;
  const own = used.map((group) => ({
    group,
    choice: bestDays(group.days, from, through, 1)[0].choice,
  }));
  const weeks = own.map(({ choice }) => choice.weeks ? `${choice.weeks.n}` : "");
  if (new Set(weeks).size === 1 && weeks[0] === "") yield planOf(own, zone);
}

function planOf(
  parts: readonly { readonly group: Group; readonly choice: DayChoice }[],
  zone: CandidateZone,
): Candidate {
  const byDays = new Map<string, { choice: DayChoice; minutes: number[] }>();
  let bits = zone.bits;
  for (const { group, choice } of parts) {
    const same = byDays.get(choice.fields);
    if (same) same.minutes.push(...group.minutes);
    else {
      byDays.set(choice.fields, { choice, minutes: [...group.minutes] });
      bits += choice.bits;
    }
    bits += group.bits;
  }
  const cron: string[] = [];
  const rules: CronRule[] = [];
  for (const { choice, minutes } of byDays.values()) {
    for (const time of timeFields(minutes)) {
      cron.push(`${time} ${choice.fields}`);
      const [minuteField, hourField] = time.split(" ");
      rules.push({ ...readTimes(minuteField, hourField), days: choice.rule });
    }
  }
  const { weeks } = parts[0].choice;
  return {
    key: `${zone.clock.zone} ${cron.join(";")} ${weeks ? `${weeks.rest}/${weeks.n}` : ""}`,
    cron,
    read: { rules, clock: zone.clock, weeks },
    bits,
    reach: Math.min(...[...byDays.values()].map(({ choice }) => reachOf(choice))),
  };
}

/** No day of a choice is farther from the next one than this. */
function reachOf({ fields, weeks }: DayChoice): number {
  const [day, month, weekday] = fields.split(" ");
  if (month !== "*") return 370 * DAY;
  if (day !== "*") return 64 * DAY;
  if (/[#]/.test(weekday)) return 64 * DAY;
  if (weeks) return (7 * weeks.n + 8) * DAY;
  return weekday === "*" ? 3 * DAY : 9 * DAY;
}

/**
 * Minute and hour fields that together mean some minutes of the day.
 *
 * @param minutes The minutes of the day, in any order.
 * @returns Pairs of fields; fixed times have one each, so that clock changes don't skip them.
 */
export function timeFields(minutes: readonly number[]): string[] {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b);
  if (sorted.length <= 3) {
    return sorted.map((minute) => `${minute % 60} ${Math.floor(minute / 60)}`);
  }
  const hoursOf = new Map<number, number[]>();
  for (const minute of sorted) {
    const hours = hoursOf.get(minute % 60) ?? [];
    hours.push(Math.floor(minute / 60));
    hoursOf.set(minute % 60, hours);
  }
  const minutesOf = new Map<string, number[]>();
  for (const [minute, hours] of hoursOf) {
    const field = seriesOf(hours, 23);
    minutesOf.set(field, [...(minutesOf.get(field) ?? []), minute]);
  }
  const whole = [...minutesOf].map(([hours, ofHour]) =>
    `${seriesOf(ofHour.sort((a, b) => a - b), 59)} ${hours}`
  );
  // Such as every 15 minutes from 08:00 through 18:00: whole hours, and what is left over.
  return whole.length <= 2 ? whole : splitHours(hoursOf);
}

/** Fields by hours that are alike, where minutes that are alike make too many. */
function splitHours(hoursOf: ReadonlyMap<number, readonly number[]>): string[] {
  const minutesOf = new Map<number, number[]>();
  for (const [minute, hours] of hoursOf) {
    for (const hour of hours) minutesOf.set(hour, [...(minutesOf.get(hour) ?? []), minute]);
  }
  const hoursBy = new Map<string, number[]>();
  for (const [hour, minutes] of [...minutesOf].sort(([a], [b]) => a - b)) {
    const field = seriesOf(minutes.sort((a, b) => a - b), 59);
    hoursBy.set(field, [...(hoursBy.get(field) ?? []), hour]);
  }
  return [...hoursBy].map(([minutes, hours]) => `${minutes} ${seriesOf(hours, 23)}`);
}

/** Numbers from 0 to a last one as a field of cron, with a step where there is one. */
function seriesOf(numbers: readonly number[], last: number): string {
  const step = numbers.length > 1 ? numbers[1] - numbers[0] : 0;
  const isSeries = numbers.length > 2 &&
    numbers.every((number, at) => number === numbers[0] + at * step);
  if (!isSeries) return rangesOf(numbers);
  const end = numbers.at(-1)!;
  const isOpen = end + step > last;
  if (numbers[0] === 0 && isOpen) return step === 1 ? "*" : `*/${step}`;
  const range = `${numbers[0]}-${isOpen && step > 1 ? last : end}`;
  return step === 1 ? range : `${range}/${step}`;
}

/** The Monday from which every nth week counts, such as `2026-01-05`. */
export function weeksFrom(
  weeks: { readonly n: number; readonly rest: number },
  time: number,
): string {
  const week = weekOf(Math.floor(time / DAY));
  const on = week - ((week - weeks.rest) % weeks.n + weeks.n) % weeks.n;
  return new Date((on * 7 - 3) * DAY).toISOString().slice(0, 10);
}

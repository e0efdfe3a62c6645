/** Finds whether the newest numbers of a schedule's runs have changed. */
import {
  excessAt,
  FIRSTS_SEEN_WITHIN,
  type LevelMemory,
  LONGEST_WINDOW,
  MAX_KNOWN,
  residualsOf,
} from "./level_memory.ts";
import { likelyShare, medianOf, spreadAround, surpriseBits, tailShare } from "./surprise.ts";
import { DAY_HOURS, dayOf, type Grouping, hourOfDay, isFirstOfMonth, weekdayOf } from "./peers.ts";

/** A change has to surprise this much, in bits. */
export const CHANGE_BITS = 16;
/** A change has to be this large, in log2. */
const MIN_CHANGE = 0.5;
/** A smaller change is growth, unless its first numbers differ from those just before. */
const LARGE_CHANGE = 1;
/** The medians of this many numbers on each side are compared for that. */
const STEP_OF = 5;
/** Fewer earlier numbers do not show what is usual. */
const MIN_KNOWN = 8;
/** The level is the median of this many newest numbers, and the spread is that of this many. */
export const LEVEL_OF = 15;
const SPREAD_OF = 60;
/** The smallest spread that is assumed, in log2. */
const MIN_SPREAD = 0.07;
/** The numbers of newest runs that are tested for having changed together. */
const WINDOWS = [1, 2, 3, 5, 8, 12, LONGEST_WINDOW] as const;
/** A single number is reported if it fell by this much, in log2, and by this many spreads. */
const SINGLE_FALL = 3;
const SINGLE_SPREADS = 8;
/** That needs more known numbers than this. */
const SINGLE_KNOWN = 30;
/** A number has changed if it moved by this share of the change. */
const SHARE_OF_CHANGE = 0.6;
const PART_HOURS = 3;
/**
 * The kinds of runs that may differ from others; after how many days each kind has been seen; and
 * the spans within which a number that differs is a change, and not the beginning of a new kind.
 */
const KINDS: readonly {
  readonly of: Grouping;
  readonly seenWithin: number;
  readonly within?: Grouping;
}[] = [
  { of: partOfWeek, seenWithin: 21, within: Math.floor },
  { of: isFirstOfMonth, seenWithin: FIRSTS_SEEN_WITHIN, within: dayOf },
  { of: hourOfDay, seenWithin: 3 },
];

/** The weekday and the part of the day, because nights show nothing about days. */
function partOfWeek(hour: number): number {
  return weekdayOf(hour) * DAY_HOURS + Math.floor(hourOfDay(hour) / PART_HOURS);
}

/** The numbers of newest runs that are tested for a slow climb, and its least height, in log2. */
const CLIMBS = [24, 48, 96, 192, 384] as const;
const MIN_CLIMB = Math.log2(1.7);
/** A climb lasts at least this long, so that no daily rhythm looks like one. */
const CLIMB_HOURS = 3 * DAY_HOURS;
/** Before this time, it is not known whether weekdays differ, so no climb is found. */
const KNOWN_HOURS = 10 * DAY_HOURS;
/** Each quarter of a climb has at least this share of it. */
const MIN_STEP = 0.08;
/** A climb is this many times as high as numbers spread. */
const CLIMB_SPREADS = 3;

export interface FoundChange {
  /** How many of the newest numbers have it. */
  readonly count: number;
  readonly before: number;
  readonly after: number;
}

/** The most surprising change of the newest numbers, or null if there is none. */
export function findChange(memory: LevelMemory): FoundChange | null {
  const { length } = memory.numbers;
  if (isNearLevel(memory)) return null;
  const newest = residualsOf(memory, LONGEST_WINDOW + SPREAD_OF);
  let best: FoundChange | null = null;
  let most = CHANGE_BITS;
  for (const count of WINDOWS) {
    if (length - count < MIN_KNOWN) break;
    const earlier = newest.slice(-count - SPREAD_OF, -count);
    const before = medianOf(earlier.slice(-LEVEL_OF));
    const after = medianOf(newest.slice(-count));
    const change = after - before;
    if (Math.abs(change) < MIN_CHANGE) continue;
    if (Math.abs(change) < LARGE_CHANGE && stepAt(newest, count) < MIN_CHANGE) continue;
    const spread = Math.max(MIN_SPREAD, spreadAround(before, earlier));
    const isFall = count === 1 && length > SINGLE_KNOWN && change < -SINGLE_FALL &&
      change < -SINGLE_SPREADS * spread;
    const deviations = Math.abs(change) * SHARE_OF_CHANGE / spread;
    const expected = isFall ? 2 ** -most / 2 : tailShare(deviations);
    const bits = changeBits(memory, { count, before, after }, expected);
    if (bits > most) {
      most = bits;
      best = { count, before, after };
    }
  }
  return best;
}

/** How far the first of some newest numbers are from those just before. */
function stepAt(numbers: readonly number[], count: number): number {
  const first = numbers.slice(-count).slice(0, STEP_OF);
  return Math.abs(medianOf(first) - medianOf(numbers.slice(-count - STEP_OF, -count)));
}

/** Whether the newest number is near the level, like most: then there is no new change. */
function isNearLevel(memory: LevelMemory): boolean {
  const residuals = residualsOf(memory, LONGEST_WINDOW + LEVEL_OF);
  return Math.abs(residuals.at(-1)! - medianOf(residuals)) < MIN_CHANGE * SHARE_OF_CHANGE;
}

/** The surprise of a change in bits, which is less if earlier numbers were as far away. */
function changeBits(
  memory: LevelMemory,
  { count, before, after }: FoundChange,
  expected: number,
): number {
  const change = after - before;
  const isFar = (number: number) => (number - before) / change >= SHARE_OF_CHANGE;
  const residuals = residualsOf(memory, MAX_KNOWN);
  const isFirst = !isFar(residuals[residuals.length - count - 1]);
  const hasChanged = residuals.slice(-count).map((number, at) =>
    isFar(number) && hasChangedForItsKind(memory, { count, at, change, isFirst })
  );
  if (!hasChanged[0]) return 0;
  const known = [...residuals.slice(0, -count), ...memory.ended];
  const seen = known.filter(isFar).length;
  const counted = likelyShare(seen, known.length);
  const unseen = count === 1 ? expected : Math.min(expected, counted);
  const share = seen === 0 ? unseen : Math.max(expected, counted);
  return surpriseBits(hasChanged.filter(Boolean).length, count, Math.min(0.5, share));
}

/** Whether a number differs from earlier ones of each of its kinds, such as its hour of the day. */
function hasChangedForItsKind(
  { hours, numbers }: LevelMemory,
  { count, at, change, isFirst }: {
    readonly count: number;
    readonly at: number;
    readonly change: number;
    /** Whether the number before the changed ones was as usual. */
    readonly isFirst: boolean;
  },
): boolean {
  const before = hours.length - count;
  const hour = hours[before + at];
  const day = dayOf(hour);
  return KINDS.every(({ of, seenWithin, within }) => {
    const kind = of(hour);
    if (of === isFirstOfMonth && kind === 0) return true;
    const alike: number[] = [];
    for (let known = before - 1; known >= 0 && alike.length < LEVEL_OF; known--) {
      if (of(hours[known]) === kind && dayOf(hours[known]) !== day) alike.push(numbers[known]);
    }
    if (alike.length === 0) {
      return hours[before - 1] - hours[0] > seenWithin * DAY_HOURS ||
        isFirst && within !== undefined && within(hours[before]) === within(hours[before - 1]);
    }
    return (numbers[before + at] - medianOf(alike)) * Math.sign(change) >= Math.abs(change) / 2;
  });
}

/** A slow climb of the newest numbers, or null if there is none. */
export function findClimb(memory: LevelMemory): FoundChange | null {
  const { hours, numbers } = memory;
  const { length } = numbers;
  const newest = hours[length - 1];
  if (length === 0 || newest - hours[0] < KNOWN_HOURS) return null;
  for (const count of CLIMBS) {
    if (memory.sinceUsual < count || length < count + MIN_KNOWN) return null;
    // Long climbs change little with each run, so they are tested less often.
    if (memory.sinceUsual % (count / CLIMBS[0]) !== 0) continue;
    if (newest - hours[length - count] < CLIMB_HOURS) continue;
    const size = count / 4;
    const climbed = medianOf(numbers.slice(-size)) - medianOf(numbers.slice(-count, size - count));
    if (climbed < MIN_CLIMB) continue;
    const rest = numbers.slice(-count).map((number, at) =>
      number - excessAt(memory, hours[length - count + at])
    );
    const quarters = [0, 1, 2, 3].map((part) =>
      medianOf(rest.slice(part * size, (part + 1) * size))
    );
    const climb = quarters[3] - quarters[0];
    const isSteady = quarters.every((level, at) =>
      at === 0 || level - quarters[at - 1] > climb * MIN_STEP
    );
    const spread = spreadAround(
      0,
      rest.map((number, at) => number - quarters[Math.floor(at / size)]),
    );
    const level = quarters[0] + climb * SHARE_OF_CHANGE;
    const isFar = (number: number) => number >= level;
    const known = residualsOf(memory, MAX_KNOWN).slice(0, -count);
    const share = likelyShare(known.filter(isFar).length, known.length);
    const bits = surpriseBits(rest.slice(-size).filter(isFar).length, size, Math.min(0.5, share));
    if (isSteady && climb >= MIN_CLIMB && climb > CLIMB_SPREADS * spread && bits > CHANGE_BITS) {
      return { count, before: quarters[0], after: quarters[3] };
    }
  }
  return null;
}

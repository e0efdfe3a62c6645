/** What is known of one number of a schedule's runs, such as their size: plain JSON. */
import { bestGrouping, DAY_HOURS, GROUPINGS, groupMedians, isFirstOfMonth } from "./peers.ts";
import { medianOf } from "./surprise.ts";

/** At most this many earlier numbers show what is usual. */
export const MAX_KNOWN = 500;
/** All of this many newest numbers are stored; of older ones, one for each hour is enough. */
const ALL_OF = 150;
/** Runs on the first of a month are stored for this many days, in which there are two of them. */
export const FIRSTS_SEEN_WITHIN = 62;
/** A change may be found only when this many runs have it. */
export const LONGEST_WINDOW = 16;
/** The peers are chosen again when this share of the known numbers is new. */
const REGROUP_SHARE = 1 / 3;

export interface LevelNumber {
  readonly id: number;
  readonly time: number;
  /** The hour in which it started, by the plan's zone, in hours since 1970. */
  readonly hour: number;
  readonly number: number;
}

export interface LevelChange {
  /** The first run with it, and when that started. */
  readonly run: number;
  readonly since: number;
  /** How many runs have it, and the newest of them, oldest first. */
  count: number;
  runs: number[];
  readonly before: number;
  after: number;
  readonly isSlow: boolean;
  isUsual: boolean;
  /** How many of the newest numbers were closer to the level before, in a row. */
  returned: number;
  /** How many of the newest numbers went further away, in a row. */
  further: number;
  /** How far its first number was from the level before, if it goes further than another change. */
  readonly farthest?: number;
}

export interface LevelMemory {
  /** When runs started, see {@linkcode LevelNumber}, and their numbers, oldest first. */
  hours: number[];
  numbers: number[];
  /** The newest of these runs: id and start. */
  newest: [id: number, time: number][];
  /** The grouping, by its index, and how far the median of each group is above that of all. */
  grouping: number;
  excess: [group: number, above: number][];
  /** How many numbers were added since the peers were chosen, and since a level became usual. */
  sinceGrouped: number;
  sinceUsual: number;
  change: LevelChange | null;
  /** The change that ended last, and how many numbers were added since. */
  past: LevelChange | null;
  sinceEnded: number;
  /** The numbers with this change, until it is usual. */
  held: LevelNumber[];
  /** Numbers with changes that ended, without what is usual for their peers. */
  ended: number[];
}

export function emptyLevel(): LevelMemory {
  return {
    hours: [],
    numbers: [],
    newest: [],
    grouping: 0,
    excess: [],
    sinceGrouped: 0,
    sinceUsual: 0,
    change: null,
    past: null,
    sinceEnded: 0,
    held: [],
    ended: [],
  };
}

export function copyLevel(memory: LevelMemory): LevelMemory {
  return {
    ...memory,
    hours: [...memory.hours],
    numbers: [...memory.numbers],
    newest: [...memory.newest],
    held: [...memory.held],
    change: memory.change && { ...memory.change },
  };
}

export function addNumber(memory: LevelMemory, { id, time, hour, number }: LevelNumber): void {
  memory.hours.push(hour);
  // Three decimals are short to store, and distinguish sizes that differ by a thousandth.
  memory.numbers.push(Math.round(number * 1000) / 1000);
  memory.newest.push([id, time]);
  if (memory.newest.length > LONGEST_WINDOW) memory.newest.shift();
  if (memory.numbers.length > MAX_KNOWN) {
    const { hours } = memory;
    // Removes an older number that shares its hour, so that the numbers span some weeks; or else the
    // oldest that is not on the first of a month.
    const twin = hours.findIndex((each, at) => at < MAX_KNOWN - ALL_OF && each === hours[at + 1]);
    const isSpare = (each: number) =>
      isFirstOfMonth(each) === 0 || hour - each > FIRSTS_SEEN_WITHIN * DAY_HOURS;
    const spare = twin >= 0 ? twin : hours.findIndex(isSpare);
    memory.hours.splice(spare, 1);
    memory.numbers.splice(spare, 1);
  }
  memory.sinceUsual++;
  memory.sinceEnded++;
  memory.sinceGrouped++;
  if (memory.sinceGrouped > memory.numbers.length * REGROUP_SHARE) choosePeers(memory);
}

export function removeNewest(memory: LevelMemory, count: number): LevelNumber[] {
  const hours = memory.hours.splice(-count);
  const numbers = memory.numbers.splice(-count);
  return memory.newest.splice(-count).map(([id, time], at) => ({
    id,
    time,
    hour: hours[at],
    number: numbers[at],
  }));
}

/** Chooses the peers, ignoring some of the newest numbers. */
export function choosePeers(memory: LevelMemory, leftOut = 0): void {
  const count = memory.numbers.length - leftOut;
  const hours = memory.hours.slice(0, count);
  const numbers = memory.numbers.slice(0, count);
  memory.grouping = bestGrouping(hours, numbers);
  const medians = groupMedians(GROUPINGS[memory.grouping], hours, numbers);
  const all = medianOf(numbers);
  memory.excess = [...medians].map(([group, median]) => [group, median - all]);
  memory.sinceGrouped = 0;
}

/** How far numbers of an hour are usually above the median of all. */
export function excessAt(
  { grouping, excess }: Pick<LevelMemory, "grouping" | "excess">,
  hour: number,
): number {
  const group = GROUPINGS[grouping](hour);
  return excess.find(([known]) => known === group)?.[1] ?? 0;
}

/** The newest numbers without what is usual for their peers. */
export function residualsOf(memory: LevelMemory, count: number): number[] {
  const hours = memory.hours.slice(-count);
  return memory.numbers.slice(-count).map((number, at) => number - excessAt(memory, hours[at]));
}

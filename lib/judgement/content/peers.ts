/** Which runs a run is compared with: the groups that describe earlier numbers shortest. */
import { HOUR } from "../../time_units.ts";
import { medianOf } from "./surprise.ts";

export const DAY_HOURS = 24;

/** Maps an hour, counted from 1970 in the plan's zone, to its group. */
export type Grouping = (hour: number) => number;

export const dayOf: Grouping = (hour) => Math.floor(hour / DAY_HOURS);
const dateOf: Grouping = (hour) => new Date(hour * HOUR).getUTCDate();
const isWeekend: Grouping = (hour) => Number(weekdayOf(hour) % 6 === 0);

export const weekdayOf: Grouping = (hour) => (dayOf(hour) + 4) % 7;
export const hourOfDay: Grouping = (hour) => Math.floor(hour) % DAY_HOURS;
export const isFirstOfMonth: Grouping = (hour) => Number(dateOf(hour) === 1);

/** All groupings, simplest first. */
export const GROUPINGS: readonly Grouping[] = [
  () => 0,
  isWeekend,
  (hour) => Number(weekdayOf(hour) === 1),
  isFirstOfMonth,
  weekdayOf,
  hourOfDay,
  (hour) => hourOfDay(hour) + DAY_HOURS * isWeekend(hour),
  dateOf,
];

/** Fewer numbers, or those of a single day, do not show what is usual for their group. */
const MIN_IN_GROUP = 2;
/** What the median of a group costs, in bits. */
const GROUP_BITS = 7;
/** Numbers, in log2, are not described more finely. */
const MIN_DISTANCE = 0.03;
/** Numbers further away than this many times the median distance are outliers. */
const OUTLIER = 4;

export function groupMedians(
  grouping: Grouping,
  hours: readonly number[],
  numbers: readonly number[],
): Map<number, number> {
  const members = new Map<number, { known: number[]; day: number; isSeenAgain: boolean }>();
  for (const [at, number] of numbers.entries()) {
    const group = grouping(hours[at]);
    const day = dayOf(hours[at]);
    const found = members.get(group);
    if (found) {
      found.known.push(number);
      found.isSeenAgain ||= day !== found.day;
    } else members.set(group, { known: [number], day, isSeenAgain: false });
  }
  const medians = new Map<number, number>();
  for (const [group, { known, isSeenAgain }] of members) {
    if (isSeenAgain && known.length >= MIN_IN_GROUP) medians.set(group, medianOf(known));
  }
  return medians;
}

export function bestGrouping(hours: readonly number[], numbers: readonly number[]): number {
  const bits = GROUPINGS.map((grouping) => descriptionBits(grouping, hours, numbers));
  return bits.indexOf(Math.min(...bits));
}

function descriptionBits(
  grouping: Grouping,
  hours: readonly number[],
  numbers: readonly number[],
): number {
  const medians = groupMedians(grouping, hours, numbers);
  const all = medianOf(numbers);
  const distances = numbers.map((number, at) =>
    Math.abs(number - (medians.get(grouping(hours[at])) ?? all))
  );
  const bound = OUTLIER * Math.max(MIN_DISTANCE, medianOf(distances));
  const sum = distances.reduce((sum, distance) => sum + Math.min(bound, distance), 0);
  const scale = MIN_DISTANCE + sum / numbers.length;
  return numbers.length * Math.log2(scale) + GROUP_BITS * Math.max(1, medians.size);
}

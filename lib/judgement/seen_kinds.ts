/** Kinds of slots by hour and weekend: a young schedule shows which nights and weekends it has. */
import { weekdayOf } from "./plans/days/due_days.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Which kinds of slots were met while a schedule was young: plain JSON. */
export interface SeenKinds {
  /** When the first known run started; null if there is none. */
  readonly firstStart: number | null;
  /** Kinds as numbers (hours, and hours of each day that may be on a weekend), and since when. */
  readonly kinds: readonly (readonly [kind: number, since: number])[];
}

/** Where days begin first and last, the clocks differ from UTC by this much. */
const OFFSETS = [14 * HOUR, -12 * HOUR];

/** The kind of a slot: its hour, with its weekday if it may be on a weekend anywhere. */
export function kindOf(slot: number, local: number): number {
  const weekdays = OFFSETS.map((offset) => weekdayOf(Math.floor((slot + offset) / DAY)));
  const isWeekend = weekdays.some((weekday) => weekday % 6 === 0);
  return isWeekend ? 24 * (1 + weekdayOf(Math.floor(local / DAY))) + hourOf(local) : hourOf(local);
}

export function hourOf(local: number): number {
  return Math.floor(local / HOUR) % 24;
}

/** Whether a slot is the only one missed within hours: that is no night. */
export function isBetween(
  slots: readonly number[],
  runOf: ReadonlyMap<number, number>,
  slot: number,
): boolean {
  return runOf.has(slot - 1) && runOf.has(slot + 1) &&
    slots[slot + 1] - slots[slot - 1] < DAY / 2;
}

/** Whether the schedule had run shortly before a slot, on the same day. */
export function goesOn(
  slots: readonly number[],
  locals: Float64Array,
  runOf: ReadonlyMap<number, number>,
  slot: number,
): boolean {
  const [before, day] = [locals[slot - 1], locals[slot]].map((local) => Math.floor(local / DAY));
  return runOf.has(slot - 1) && before === day && slots[slot] - slots[slot - 1] <= 2 * HOUR;
}

/** Minutes of the day as cron writes them. */
import { rangesOf } from "./days/day_choices.ts";

/** Minute and hour fields that mean some minutes of the day. Clock changes skip no fixed times. */
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
  // Such as every 15 minutes from 08:00 through 18:00: whole hours, and the rest.
  return whole.length <= 2 ? whole : splitHours(hoursOf);
}

/** Fields grouped by equal hours, if grouping by equal minutes makes too many. */
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

/** Numbers from 0 to a last one as a field of cron, with a step if there is one. */
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

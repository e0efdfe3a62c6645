/** Writes minutes of the day and sets of numbers as fields of cron. */
import { groupBy } from "../../group_by.ts";

/** The minute and hour fields of some minutes of the day: 480, 600, 720, 840 -> `0 8-14/2`. */
export function timeFields(minutes: readonly number[]): string[] {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b);
  const toMinute = (minute: number) => minute % 60;
  const toHour = (minute: number) => Math.floor(minute / 60);
  if (sorted.length <= 3) return sorted.map((minute) => `${toMinute(minute)} ${toHour(minute)}`);
  const byMinute = [...groupBy(sorted, toMinute).values()];
  const byHours = groupBy(byMinute, (some) => toSeries(some.map(toHour), 23));
  const fields = [...byHours].map(([hours, groups]) =>
    `${toSeries(groups.map(([first]) => toMinute(first)), 59)} ${hours}`
  );
  if (fields.length <= 2) return fields;
  // Such as every 15 minutes from 08:00 through 18:00: whole hours, and 18:00 alone.
  const byHour = [...groupBy(sorted, toHour).values()];
  const byMinutes = groupBy(byHour, (some) => toSeries(some.map(toMinute), 59));
  return [...byMinutes].map(([inHour, groups]) =>
    `${inHour} ${toSeries(groups.map(([first]) => toHour(first)), 23)}`
  );
}

/** Numbers as a field whose maximum is `last`. Of 23: 8, 10, 12 -> `8-12/2`; 5, 6, 9 -> `5,6,9`. */
function toSeries(numbers: readonly number[], last: number): string {
  const step = numbers.length > 1 ? numbers[1] - numbers[0] : 0;
  const isSeries = numbers.length > 2 &&
    numbers.every((number, at) => number === numbers[0] + at * step);
  if (!isSeries) return toRanges(numbers);
  const end = numbers.at(-1)!;
  const isOpen = end + step > last;
  if (numbers[0] === 0 && isOpen) return step === 1 ? "*" : `*/${step}`;
  const range = `${numbers[0]}-${isOpen && step > 1 ? last : end}`;
  return step === 1 ? range : `${range}/${step}`;
}

/** Sorted numbers as a list with ranges, such as `1-5,8`. */
export function toRanges(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < numbers.length;) {
    let end = at;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++;
    if (end - at >= 2) parts.push(`${numbers[at]}-${numbers[end]}`);
    else for (let one = at; one <= end; one++) parts.push(String(numbers[one]));
    at = end + 1;
  }
  return parts.join();
}

import { assertEquals } from "@std/assert";
import { measureDurations } from "../../../lib/runs/durations.ts";

/** Daily runs that took this long, in seconds; their ids count from 0. */
function runsOf(seconds: readonly number[]) {
  return seconds.map((took, id) => ({
    id,
    startTime: new Date(Date.UTC(2026, 0, 1 + id)).toISOString(),
    endTime: new Date(Date.UTC(2026, 0, 1 + id) + 1000 * took).toISOString(),
  }));
}

Deno.test("measureDurations: a rare long run is an outlier, and what happens often is usual", () => {
  const outliers = (long: number) =>
    measureDurations(runsOf([...Array(50).fill(60), ...Array(long).fill(600)])).outliers.length;
  assertEquals([outliers(1), outliers(4), outliers(5)], [1, 4, 0]);
});

Deno.test("measureDurations: what is usual leaves room for a second, or for a twentieth", () => {
  const bounds = (seconds: number) => {
    const { low, high } = measureDurations(runsOf(Array(8).fill(seconds))).spread!;
    return [low, high];
  };
  assertEquals(bounds(10), [6500, 13_500]);
  assertEquals(bounds(100), [82_500, 117_500]);
  assertEquals(measureDurations(runsOf([10])).spread, null);
});

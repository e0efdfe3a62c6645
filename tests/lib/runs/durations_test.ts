import { assertEquals } from "@std/assert";
import { measureDurations } from "../../../lib/runs/durations.ts";

/** Daily runs that took this long, in seconds; their ids count from 0. */
function runsOf(seconds: readonly number[]) {
  return seconds.map((took, id) => ({ run: { id }, ms: 1000 * took, meaning: "good" as const }));
}

Deno.test("measureDurations: a rare long run is an outlier, and what happens often is usual", () => {
  const outliers = (long: number) =>
    measureDurations(runsOf([...Array(50).fill(60), ...Array(long).fill(600)])).outliers.length;
  assertEquals([outliers(1), outliers(4), outliers(5)], [1, 4, 0]);
});

Deno.test("measureDurations: the bounds of what is usual leave room for a second, or for about a sixth", () => {
  const bounds = (seconds: number) => {
    const { low, high } = measureDurations(runsOf(Array(8).fill(seconds))).spread!;
    return [low, high].map(Math.round);
  };
  assertEquals(bounds(2), [1000, 3000]);
  assertEquals(bounds(100), [83_946, 119_125]);
  assertEquals(measureDurations(runsOf(Array(7).fill(10))).spread, null);
});

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

Deno.test("measureDurations: counts runs of no time, not those without an end", () => {
  const runs = [0, -1, undefined].map((ms, id) => ({ run: { id }, ms, meaning: "good" as const }));
  const { count, p50, p95 } = measureDurations(runs);
  assertEquals([count, p50, p95], [1, 0, 0]);
  assertEquals(measureDurations(runs.slice(1)).p50, null);
  assertEquals(measureDurations(runsOf([1, 2, 3])).p95, 2900);
});

Deno.test("measureDurations: other runs count only if none succeeded", () => {
  const meanings = ["good", "unknown"] as const;
  const runs = meanings.map((meaning, id) => ({ run: { id }, ms: 1000 * id, meaning }));
  assertEquals([runs, runs.slice(1)].map((some) => measureDurations(some).p50), [0, 1000]);
});

Deno.test("measureDurations: runs that are too short are outliers as well; the newest is first", () => {
  const start = (id: number) => new Date(id * 60_000).toISOString();
  const runs = runsOf([...Array(40).fill(60), 1, 600, 2])
    .map(({ run, ...rest }) => ({ run: { ...run, startTime: start(run.id) }, ...rest }));
  assertEquals(measureDurations(runs).outliers.map(({ id }) => id), [42, 41, 40]);
});

Deno.test("measureDurations: bounds are known from eight runs on, a sixth around what is alike", () => {
  const boundsOf = (...seconds: number[]) => measureDurations(runsOf(seconds)).spread;
  const { low, high } = boundsOf(...Array(8).fill(100))!;
  assertEquals([low, high].map(Math.round), [83_946, 119_125]);
  // Where they scatter, 5.2 median deviations.
  const scattered = boundsOf(...Array(4).fill(50), ...Array(4).fill(200))!;
  assertEquals(Math.round(scattered.high / 1000), Math.round(100 * 2 ** 5.2));
  assertEquals(boundsOf(...Array(7).fill(100)), null);
});

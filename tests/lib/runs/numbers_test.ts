import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { distancesFrom, quantile, sortedOf, spreadOf } from "../../../lib/runs/numbers.ts";
import { trendOf } from "../../../lib/runs/trends.ts";

Deno.test("quantile: between neighbours, in any order, and of nothing", () => {
  assertEquals([0, 0.25, 0.5, 1].map((part) => quantile([4, 1, 3, 2], part)), [1, 1.75, 2.5, 4]);
  assertEquals([quantile([7], 0.95), quantile([], 0.5)], [7, undefined]);
});

Deno.test("spreadOf: outliers are 3.5 scaled deviations from the median, on both sides", () => {
  const { low, high, ...rest } = spreadOf([98, 99, 99, 100, 100, 101, 101, 102], 0)!;
  assertEquals(rest, { count: 8, median: 100, deviation: 1 });
  assertAlmostEquals(low, 100 - 3.5 * 1.4826);
  assertAlmostEquals(high, 100 + 3.5 * 1.4826);
});

Deno.test("spreadOf: numbers that are nearly all equal vary by a twentieth, or by what is given", () => {
  const equal = Array(8).fill(100);
  const bounds = (values: readonly number[], floor?: number) => {
    const { low, high } = spreadOf(values, floor)!;
    return [low, high];
  };
  assertEquals(bounds(equal), [82.5, 117.5]);
  assertEquals(bounds(equal, 2), [93, 107]);
  assertEquals(bounds(equal.map((value) => -value)), [-117.5, -82.5]);
  assertEquals(spreadOf(equal.slice(1)), undefined);
});

function trendOfValues(...values: (number | null)[]) {
  const runs = values.map((attachmentSize, day) => ({
    id: day,
    startTime: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    attachmentSize,
  }));
  return trendOf(runs, (run) => run.attachmentSize);
}

Deno.test("trendOf: medians of the oldest and newest tenth, at least five runs, and the extremes", () => {
  const values = [9, 1, 2, 3, 40, 5, 6, 7, 8, 0].map((value) => value + 100);
  assertEquals(trendOfValues(...values), {
    count: 10,
    first: 103,
    last: 106,
    least: 100,
    most: 140,
    jump: null,
  });
  assertEquals(trendOfValues(...values.slice(1), null), null);
  const sixty = Array.from({ length: 60 }, (_, at) => 1000 + at);
  assertEquals([trendOfValues(...sixty)!.first, trendOfValues(...sixty)!.last], [1002.5, 1056.5]);
});

Deno.test("trendOf: a jump changes the number by half, and stays", () => {
  const jump = (...values: number[]) => {
    const found = trendOfValues(...values)!.jump;
    return found && [found.run.id, found.before, found.after];
  };
  const [ten, fifteen, sixteen, hundred] = [10, 15, 16, 100].map((value) => Array(6).fill(value));
  assertEquals(jump(...ten, ...hundred), [6, 10, 100]);
  assertEquals(jump(...hundred, ...ten), [6, 100, 10]);
  assertEquals(jump(...ten, ...sixteen), [6, 10, 16]);
  assertEquals(jump(...ten, ...fifteen), null);
  // What goes to and fro never stayed.
  const restless = Array.from({ length: 40 }, (_, at) => [10, 100, 1000, 30, 300, 3000][at % 6]);
  assertEquals(jump(...restless, ...restless.map((value) => 3 * value)), null);
  // Growth that takes its time is no jump.
  const growth = Array.from({ length: 40 }, (_, at) => 10 * 1.05 ** at);
  assert(growth.at(-1)! > 4 * growth[0]);
  assertEquals(jump(...growth), null);
});

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 });

Deno.test("sortedOf: gives the numbers in order, few or many", () =>
  fc.assert(fc.property(numbers, (values) => {
    assertEquals([...sortedOf(values)], values.toSorted((a, b) => a - b));
  })));

Deno.test("distancesFrom: gives the distances in order", () =>
  fc.assert(
    fc.property(numbers, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (values, from) => {
      const expected = values.map((value) => Math.abs(value - from)).sort((a, b) => a - b);
      assertEquals([...distancesFrom(sortedOf(values), from)], expected);
    }),
  ));

import { assertEquals } from "@std/assert";
import { quantile } from "../../../lib/runs/quantiles.ts";
import { trendOf } from "../../../lib/runs/trends.ts";
import { momentsFrom, runsAt } from "../judgement/runs_at.ts";

Deno.test("quantile: between neighbours, in any order, and of nothing", () => {
  assertEquals([0, 0.25, 0.5, 1].map((part) => quantile([4, 1, 3, 2], part)), [1, 1.75, 2.5, 4]);
  assertEquals([quantile([7], 0.95), quantile([], 0.5)], [7, undefined]);
});

function trendOfValues(...values: (number | null)[]) {
  const runs = runsAt(momentsFrom(0, values.length))
    .map((run, at) => ({ ...run, attachmentSize: values[at] }));
  return trendOf(runs, (run) => run.attachmentSize);
}

Deno.test("trendOf: medians of the oldest and newest tenth, the extremes, and the jump", () => {
  const values = [9, 1, 2, 3, 40, 5, 6, 7, 8, 0].map((value) => value + 100);
  const { count, first, last, least, most, jump } = trendOfValues(...values)!;
  assertEquals([count, first, last, least, most, jump], [10, 103, 106, 100, 140, null]);
  assertEquals(trendOfValues(...values.slice(1), null), null);
  const sixty = Array.from({ length: 60 }, (_, at) => 1000 + at);
  assertEquals([trendOfValues(...sixty)!.first, trendOfValues(...sixty)!.last], [1002.5, 1056.5]);
  const runs = runsAt(momentsFrom(0, 12));
  const jumpAt = (run: number) =>
    trendOf(runs, ({ id }) => id, { runs: [{ id: run }], before: 2, after: 7 })?.jump;
  assertEquals([jumpAt(6), jumpAt(99)], [{ run: runs[6], before: 2, after: 7 }, null]);
});

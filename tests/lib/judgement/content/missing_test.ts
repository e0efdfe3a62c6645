import { assertEquals } from "@std/assert";
import { EmptySeries, PeopleSeries } from "../../../../lib/judgement/content/missing.ts";

/** The runs at which an empty streak is unusual, of runs with (1) and without (0) content. */
function unusual(values: readonly number[]): number[] {
  const series = new EmptySeries();
  return values.flatMap((value, id) => {
    series.add({ id, time: id }, value === 0);
    return series.unusual ? [id] : [];
  });
}

const times = (count: number, value: number) => Array<number>(count).fill(value);
const once = [...times(30, 1), 0];

Deno.test("EmptySeries: unusual once five are known, and later only if twice as long as before", () => {
  const cases: readonly (readonly [values: number[], unusual: number[]])[] = [
    [[...times(5, 1), 0, 0, 1, 1], [5, 6]],
    [[...times(4, 1), 0, 0], []],
    // After two episodes, only one that is twice as long.
    [[...once, ...once, ...once], [30, 61]],
    [[...once, ...once, ...once, 0, 0], [30, 61, 94]],
    // Episodes are forgotten after 120 runs.
    [[...once, ...once, ...times(120, 1), 0], [30, 61, 182]],
    // Where four of five are empty, an empty run is usual.
    [[...times(40, 0), ...times(10, 1), 0], []],
    [[...times(39, 0), ...times(10, 1), 0], [49]],
  ];
  for (const [values, expected] of cases) assertEquals(unusual(values), expected);
});

/** The runs at which a drop is new, with how many people before and after. */
function dropsIn(counts: readonly number[], expected: readonly number[] = []) {
  const series = new PeopleSeries(new Set(expected));
  return counts.flatMap((count, id): [run: number, before: number, after: number][] => {
    const known = series.drop?.runs[0];
    series.add({ id, time: id }, count);
    const { drop } = series;
    return drop && drop.runs[0] !== known ? [[id, drop.before, drop.after]] : [];
  });
}

Deno.test("PeopleSeries: half of the people or fewer are one drop, if two are gone", () => {
  const again = [...times(20, 12), 3];
  const cases: readonly (readonly [counts: number[], drops: number[][], expected?: number[]])[] = [
    [[...times(20, 12), ...times(30, 6)], [[20, 12, 6]]],
    [[...times(20, 12), ...times(30, 7)], []],
    [[...times(20, 2), 1], []],
    [[...times(4, 12), 1], []],
    [[...times(20, 12), ...times(30, 6)], [], [20]],
    // One that ended can come again, but is usual the third time.
    [[...again, ...again, ...again], [[20, 12, 3], [41, 12, 3]]],
    // People leave quickly, one by one.
    [[...times(20, 9), 8, 7, 6, 5, 4, 3, 3, 3], [[25, 6, 3]]],
  ];
  for (const [counts, drops, expected] of cases) assertEquals(dropsIn(counts, expected), drops);
});

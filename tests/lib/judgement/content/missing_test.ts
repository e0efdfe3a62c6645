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

Deno.test("EmptySeries: an empty run is unusual until content is back, once five are known", () => {
  assertEquals(unusual([...times(5, 1), 0, 0, 1, 1]), [5, 6]);
  assertEquals(unusual([...times(4, 1), 0, 0]), []);
});

Deno.test("EmptySeries: after two episodes, only one twice as long is unusual", () => {
  assertEquals(unusual([...once, ...once, ...once]), [30, 61]);
  assertEquals(unusual([...once, ...once, ...once, 0, 0]), [30, 61, 94]);
  // Episodes are forgotten after 120 runs.
  assertEquals(unusual([...once, ...once, ...times(120, 1), 0]), [30, 61, 182]);
});

Deno.test("EmptySeries: where four of five are empty, an empty run is usual", () => {
  assertEquals(unusual([...times(40, 0), ...times(10, 1), 0]), []);
  assertEquals(unusual([...times(39, 0), ...times(10, 1), 0]), [49]);
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
  assertEquals(dropsIn([...times(20, 12), ...times(30, 6)]), [[20, 12, 6]]);
  assertEquals(dropsIn([...times(20, 12), ...times(30, 7)]), []);
  assertEquals(dropsIn([...times(20, 2), 1]), []);
  assertEquals(dropsIn([...times(4, 12), 1]), []);
  assertEquals(dropsIn([...times(20, 12), ...times(30, 6)], [20]), []);
});

Deno.test("PeopleSeries: a drop that ended can come again, but is usual the third time", () => {
  const again = [...times(20, 12), 3];
  assertEquals(dropsIn([...again, ...again, ...again]).map(([run]) => run), [20, 41]);
});

Deno.test("PeopleSeries: people who leave quickly, one by one, are a drop", () => {
  assertEquals(dropsIn([...times(20, 9), 8, 7, 6, 5, 4, 3, 3, 3]), [[25, 6, 3]]);
});

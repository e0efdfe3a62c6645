import { assertEquals } from "@std/assert";
import { EmptySeries } from "../../../../lib/judgement/content/missing.ts";

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

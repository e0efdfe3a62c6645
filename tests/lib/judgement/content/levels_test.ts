import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../../lib/time_units.ts";
import { LevelSeries } from "../../../../lib/judgement/content/levels.ts";
import { randomFrom } from "../histories/random.ts";

interface Options {
  readonly expected?: ReadonlySet<number>;
  readonly of?: LevelSeries["of"];
  /** When each run starts, in hours. */
  readonly hours?: (at: number) => number;
}

/** The levels of a run a day in the order in which they are found: the first run, and when. */
function levelsIn(
  values: readonly number[],
  { hours = (at) => at * 24 + 6, expected = new Set(), of = "size" }: Options = {},
): (readonly [first: number, found: number])[] {
  const series = new LevelSeries(expected, of);
  const found: (readonly [number, number])[] = [];
  for (const [id, value] of values.entries()) {
    const time = hours(id) * HOUR;
    const before = series.level?.runs[0].id;
    series.add({ id, time, local: time, value });
    const first = series.level?.runs[0].id;
    if (first !== undefined && first !== before) found.push([first, id]);
  }
  return found;
}

function noisy(count: number, levelAt: (at: number) => number, deviation = 0.02) {
  const random = randomFrom(1);
  return Array.from(
    { length: count },
    (_, at) => levelAt(at) * Math.exp(deviation * random.normal()),
  );
}

Deno.test("LevelSeries: three in a row are a level, or one three times as far", () => {
  assertEquals(levelsIn(noisy(150, (at) => at < 120 ? 1e6 : 2e6)), [[120, 122]]);
  assertEquals(levelsIn(noisy(150, (at) => at < 120 ? 1e6 : 4e6)), [[120, 120]]);
  assertEquals(levelsIn(noisy(150, (at) => at < 120 ? 1e6 : 1.3e6)), []);
  // With fewer runs before, a single spike may be usual.
  assertEquals(levelsIn(noisy(80, (at) => at < 60 ? 1e6 : 4e6)), [[60, 62]]);
});

Deno.test("LevelSeries: nothing is new in the first three weeks, unless 200 runs came", () => {
  assertEquals(levelsIn(noisy(40, (at) => at < 15 ? 1e6 : 4e6)), []);
  // The two hundredth run is not reported, the next one is.
  const hourly = noisy(260, (at) => at < 199 ? 1e6 : 4e6);
  assertEquals(levelsIn(hourly, { hours: (at) => at }), [[200, 200]]);
});

Deno.test("LevelSeries: a level ends when values are back, and is usual after twelve runs", () => {
  const series = new LevelSeries(new Set(), "size");
  const until = (values: readonly number[]) =>
    values.map((value, at) => {
      series.add({ id: at, time: at * DAY, local: at * DAY, value });
      return [series.level?.runs.length ?? 0, series.usualLevel?.runs.length ?? 0];
    });
  const states = until(noisy(140, (at) => at === 110 || at >= 120 ? 5e6 : 1e6));
  const shown = [110, 111, 120, 130, 131].map((at) => states[at]);
  assertEquals(shown, [[1, 0], [0, 0], [1, 0], [11, 0], [0, 12]]);
});

Deno.test("LevelSeries: a level goes on while runs are nearer to it than to the usual", () => {
  const lower = noisy(130, (at) => at < 120 ? 1e6 : at === 123 ? 7e5 : 6e5);
  assertEquals(levelsIn(lower), [[120, 122]]);
});

Deno.test("LevelSeries: a level that people expect is usual at once", () => {
  const larger = noisy(150, (at) => at < 120 ? 1e6 : 9e6);
  assertEquals(levelsIn(larger, { expected: new Set([120]) }), []);
  assertEquals(levelsIn(larger, { expected: new Set([121]) }), [[120, 120]]);
});

Deno.test("LevelSeries: a further level is another one, and two usual levels are none", () => {
  const further = noisy(130, (at) => at < 110 ? 1e6 : at < 115 ? 4e6 : 1e8);
  assertEquals(levelsIn(further), [[110, 110], [115, 115]]);
  // It begins with its own first run, though three in a row show it.
  const partly = noisy(130, (at) => at < 110 ? 5e5 : at < 116 ? 5e6 : 1.6e6);
  assertEquals(levelsIn(partly), [[110, 110], [116, 117]]);
  assertEquals(levelsIn(noisy(300, (at) => at % 5 < 2 ? 4e6 : 1e6)), []);
  // Spikes that were seen before.
  assertEquals(levelsIn(noisy(300, (at) => at % 30 === 7 ? 2e7 : 1e6)), []);
});

Deno.test("LevelSeries: runs are compared with those on the same days or at the same hours", () => {
  const weekend = (at: number) => at % 7 === 2 || at % 7 === 3;
  assertEquals(levelsIn(noisy(200, (at) => weekend(at) ? 1e5 : 1e6)), []);
  // The last Saturday is smaller than other Saturdays.
  const last = noisy(192, (at) => at === 191 ? 2e4 : weekend(at) ? 1e5 : 1e6);
  assertEquals(levelsIn(last), [[191, 191]]);
  // One change of all is one level.
  const grown = noisy(200, (at) => (weekend(at) ? 1e5 : 1e6) * (at < 170 ? 1 : 1.8));
  assertEquals(levelsIn(grown), [[170, 172]]);
  const hours = (at: number) => at * 6;
  assertEquals(levelsIn(noisy(400, (at) => at % 4 === 1 ? 2e7 : 1e6), { hours }), []);
  // Where all are equal, also one that starts at another hour is compared with all.
  const equal = Array(130).fill(1e6).with(120, 700);
  const late = (at: number) => at * 24 + (at === 120 ? 8 : 6);
  assertEquals(levelsIn(equal, { hours: late }), [[120, 120]]);
});

Deno.test("LevelSeries: sizes of each weekday, hour or date hide no change of all", () => {
  const weekly = (at: number) => at % 7;
  const ofDate = (at: number) => new Date(at * DAY).getUTCDate() % 5;
  const sixHourly = { hours: (at: number) => at * 6 };
  const cases = [
    [260, weekly, 200, 2.6, {}, [200, 202]],
    [140, (at) => at % 4, 120, 2.2, sixHourly, [120, 122]],
    [400, ofDate, 340, 3, {}, [350, 352]],
  ] as const satisfies readonly (readonly [number, (at: number) => number, ...unknown[]])[];
  for (const [count, group, change, factor, options, level] of cases) {
    const sizes = (factor: number) =>
      noisy(count, (at) => 1e5 * 4 ** group(at) * (at < change ? 1 : factor));
    assertEquals([levelsIn(sizes(1), options), levelsIn(sizes(factor), options)], [[], [level]]);
  }
});

Deno.test("LevelSeries: durations are new only upwards, by three in a row or slowly", () => {
  const of = "duration";
  assertEquals(levelsIn(noisy(150, (at) => at === 120 ? 1e9 : 1e4), { of }), []);
  assertEquals(levelsIn(noisy(150, (at) => at < 120 ? 1e4 : 1e3), { of }), []);
  assertEquals(levelsIn(noisy(150, (at) => at < 120 ? 1e4 : 3e4), { of }), [[120, 122]]);
  const climb = noisy(240, (at) => 1e4 * 3 ** Math.max(0, Math.min(1, (at - 150) / 45)));
  assertEquals(levelsIn(climb, { of }).length, 1);
  assertEquals(levelsIn(climb), []);
});

Deno.test("LevelSeries: half of the people or fewer are a level, if two are gone", () => {
  const times = (count: number, value: number) => Array<number>(count).fill(value);
  const again = [...times(20, 12), 3];
  const cases: readonly (readonly [counts: number[], found: number[], expected?: number[]])[] = [
    [[...times(20, 12), ...times(30, 6)], [20]],
    [[...times(20, 12), ...times(30, 7)], []],
    [[...times(20, 2), 1], []],
    [[...times(20, 3), 1], [20]],
    [[...times(4, 12), 1], []],
    [[...times(5, 12), 1], [5]],
    [[...times(20, 12), ...times(30, 6)], [], [20]],
    // One that ended can come again, but is usual the third time.
    [[...again, ...again, ...again], [20, 41]],
    // People leave quickly, one by one.
    [[...times(20, 9), 8, 7, 6, 5, 4, 3, 3, 3], [24]],
    [[...times(20, 12), ...times(20, 30)], []],
  ];
  for (const [counts, found, expected = []] of cases) {
    const levels = levelsIn(counts, { of: "people", expected: new Set(expected) });
    assertEquals(levels.map(([first]) => first), found, `${counts}`);
  }
});

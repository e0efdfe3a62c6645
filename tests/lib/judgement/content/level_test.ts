import { assertEquals } from "@std/assert";
import { updateLevel } from "../../../../lib/judgement/content/level.ts";
import { emptyLevel, type LevelMemory } from "../../../../lib/judgement/content/level_memory.ts";
import { randomFrom } from "../histories/random.ts";

/** How far the zone of a plan is ahead of UTC, in hours. */
const AHEAD = 5;

/** Follows numbers, a run a day, and gives what is known after each. */
function* follow(
  values: readonly number[],
  { hours = (at: number) => at * 24 + 6, mayClimb = false } = {},
): Generator<LevelMemory> {
  const memory = emptyLevel();
  for (const [id, value] of values.entries()) {
    const hour = hours(id);
    const time = (hour - AHEAD) * 3_600_000;
    updateLevel(memory, { id, time, hour, number: Math.log2(value) }, { mayClimb });
    yield structuredClone(memory);
  }
}

/** The changes in the order in which they are found: the first run, and when it was found. */
function changesIn(
  ...given: Parameters<typeof follow>
): (readonly [first: number, found: number])[] {
  const found: (readonly [number, number])[] = [];
  let last = -1;
  for (const [at, { change }] of [...follow(...given)].entries()) {
    if (change && !change.isUsual && change.run !== last) found.push([change.run, at]);
    last = change?.run ?? last;
  }
  return found;
}

function noisy(count: number, deviation: number, levelAt: (at: number) => number, seed = 1) {
  const random = randomFrom(seed);
  const noise = () => Math.exp(deviation * random.normal());
  return Array.from({ length: count }, (_, at) => levelAt(at) * noise());
}

Deno.test("updateLevel: a further level is another change, a single further number is not", () => {
  const values = noisy(80, 0.02, (at) => at < 50 ? 1.2 : at < 53 ? 5 : 180);
  assertEquals(changesIn(values), [[50, 51], [53, 54]]);
  assertEquals(changesIn(values.with(55, 180 * 64)), [[50, 51], [53, 54]]);
  // Single runs that had it before make it less surprising; only the first was one itself.
  const spikes = [10, 25, 40];
  const again = (at: number) => spikes.includes(at) || at >= 58 ? 30 : at < 50 ? 1 : 3;
  assertEquals(changesIn(noisy(90, 0.02, again)), [[10, 10], [50, 54], [58, 61]]);
});

Deno.test("updateLevel: of a change that ended, only the runs that returned are usual", () => {
  const [last] = [...follow(noisy(70, 0.02, (at) => at >= 60 && at < 66 ? 4 : 1))].slice(-1);
  assertEquals(last.newest.map(([id]) => id).slice(-5), [59, 66, 67, 68, 69]);
});

Deno.test("updateLevel: eight runs show what is usual, seven do not", () => {
  const changesAfter = (count: number) => changesIn(noisy(20, 0.02, (at) => at < count ? 1 : 4));
  assertEquals([7, 8].map(changesAfter), [[], [[8, 9]]]);
});

Deno.test("updateLevel: a level that moves between two others is another change once", () => {
  const levels = [[50, 1e3], [3, 1e5], [3, 3e6], [6, 1e5], [3, 3e6]]
    .flatMap(([count, level]) => Array<number>(count).fill(level));
  assertEquals(changesIn(noisy(65, 0.02, (at) => levels[at])).map(([first]) => first), [50, 53]);
});

Deno.test("updateLevel: a fall to a tenth is found at once, a single rise is not", () => {
  assertEquals(changesIn(noisy(61, 0.02, (at) => at < 60 ? 1000 : 90)), [[60, 60]]);
  assertEquals(changesIn(noisy(70, 0.02, (at) => at === 60 ? 8000 : 1000)), []);
});

Deno.test("updateLevel: a fall on the first of the month is none where the first before was as low", () => {
  // From 10 January on: 1 February and 1 March.
  const hours = (at: number) => (at + 9) * 24 + 6;
  const low = (...days: number[]) => noisy(60, 0.02, (at) => days.includes(at) ? 90 : 1000);
  assertEquals(changesIn(low(22, 50), { hours }), []);
  assertEquals(changesIn(low(51), { hours }), [[51, 51]]);
  // The very first run was on a first.
  assertEquals(changesIn(low(31)), [[31, 31]]);
});

Deno.test("updateLevel: a slow climb is one change, where climbs count", () => {
  const climb = (at: number) => Math.min(1.6, Math.max(0, at - 100) / 60);
  const values = noisy(200, 0.05, (at) => 1000 * 2 ** climb(at));
  const known = [...follow(values, { mayClimb: true })];
  const found = known.findIndex(({ change }) => change !== null);
  assertEquals(found, 167);
  // It began with one of the runs before, whatever the zone of their hours.
  const since = known[found].change!.since / 3_600_000;
  assertEquals([since % 24, since < found * 24], [6 - AHEAD, true]);
});

Deno.test("updateLevel: the first 24 runs of a level that became usual may be a climb, or those after 8", () => {
  const values = noisy(130, 0.02, (at) => at < 60 ? 1 : 4 * 2 ** (0.05 * Math.max(0, at - 70)));
  assertEquals(changesIn(values, { mayClimb: true }).slice(0, 2), [[60, 61], [95, 95]]);
  const young = noisy(60, 0.02, (at) => 2 ** (0.05 * Math.max(0, at - 8)));
  assertEquals(changesIn(young, { mayClimb: true })[0], [31, 31]);
});

Deno.test("updateLevel: hourly runs that climb within a week are a change, those with a rhythm are not", () => {
  const hours = (at: number) => at;
  const rhythm = (at: number) => 1000 * (1.5 + Math.sin((at % 24) * Math.PI / 12));
  const options = { hours, mayClimb: true };
  const climb = (at: number) => Math.min(2, Math.max(0, at - 400) / 80);
  const climbing = noisy(700, 0.05, (at) => rhythm(at) * 2 ** climb(at));
  assertEquals(changesIn(climbing, options)[0], [483, 483]);
  assertEquals(changesIn(noisy(700, 0.05, rhythm), options), []);
});

Deno.test("updateLevel: what grows from the first hour on climbs after ten days, which show weekdays and weekends", () => {
  const values = noisy(300, 0.02, (at) => 2 ** (at / 140));
  assertEquals(changesIn(values, { hours: (at) => at, mayClimb: true })[0], [263, 263]);
});

Deno.test("updateLevel: a level of a schedule that runs every quarter of an hour is found, by day too", () => {
  const isDay = (at: number) => at % 96 >= 28 && at % 96 < 76;
  const values = noisy(1300, 0.05, (at) => (isDay(at) ? 3000 : 1000) * (at < 1200 ? 1 : 4));
  const hours = (at: number) => 48 + Math.floor(at / 4);
  // One run of each hour is known from the first hour on.
  assertEquals([...follow(values, { hours })].at(-1)!.hours[0], 48);
  const found = changesIn(values, { hours });
  assertEquals(found.map(([first, at]) => [first, at < 1204]), [[1200, true]]);
});

Deno.test("updateLevel: in the first week, what changes within an hour is a change, an unseen day is not", () => {
  const hours = (at: number) => Math.floor(at / 4);
  const fallen = noisy(500, 0.02, (at) => at < 338 ? 1000 : 60);
  assertEquals(changesIn(fallen, { hours }), [[338, 338]]);
  const lower = noisy(345, 0.02, (at) => at < 337 ? 1000 : 300);
  assertEquals(changesIn(lower, { hours }), [[337, 338]]);
  const fromMidnight = noisy(400, 0.02, (at) => at < 336 ? 1000 : 300);
  assertEquals(changesIn(fromMidnight, { hours }), []);
});

Deno.test("updateLevel: a change on the first of a month is found, firsts that differ are not", () => {
  const hours = (at: number) => at;
  const isFirst = (at: number) => new Date(at * 3_600_000).getUTCDate() === 1;
  const first = 59 * 24 + 9;
  const rising = noisy(first + 200, 0.05, (at) => at < first ? 1000 : 20_000);
  assertEquals(changesIn(rising, { hours }), [[first, first + 1]]);
  assertEquals(changesIn(noisy(150 * 24, 0.05, (at) => isFirst(at) ? 5000 : 1000), { hours }), []);
});

Deno.test("updateLevel: a further level soon after a change that ended is one change", () => {
  const level = (at: number) => at < 50 || at >= 53 && at < 58 ? 1 : at < 53 ? 6 : 180;
  assertEquals(changesIn(noisy(90, 0.02, level)).map(([first]) => first), [50, 58]);
  // A single further number just after a level came back is none.
  const back = noisy(90, 0.02, (at) => at === 63 ? 180 : Math.min(6, level(at)));
  assertEquals(changesIn(back).map(([first]) => first), [50]);
});

Deno.test("updateLevel: where two levels are usual, and where noise is large, nothing climbs", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomFrom(seed);
    const levels = noisy(500, 0.08, () => random.next() < 0.4 ? 4000 : 1000, seed);
    assertEquals(changesIn(levels, { mayClimb: true }), [], `seed ${seed}`);
  }
});

Deno.test("updateLevel: monthly reports that grow to three times their size do not change", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const growing = noisy(36, 0.08, (at) => 1000 * 3 ** (at / 36), seed);
    assertEquals(changesIn(growing, { hours: (at) => at * 730 }), [], `seed ${seed}`);
  }
});

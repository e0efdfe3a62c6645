import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { entryLag } from "../../../server/observer/judge.ts";
import type { EntryLag } from "../../../server/store/records/verdicts.ts";
import { runWell, START as BEGIN, withWorld } from "./world.ts";

const START = Date.UTC(2026, 2, 10);
const KNOWN: EntryLag = { lag: 0, observed: null };

/** The lag after the run of START was read so many minutes later, and not yet at the poll before. */
function lagAfter(
  requested: number,
  polled: number | null,
  { before = KNOWN, newestStart = START - HOUR as number | null } = {},
): EntryLag {
  return entryLag(before, [{ start: START }], {
    newestStart,
    requested: START + requested * MINUTE,
    polled: polled === null ? null : START + polled * MINUTE,
    everyMs: MINUTE,
  });
}

Deno.test("entryLag: a run that had started at the poll before shows when it was listed", () => {
  assertEquals(lagAfter(8, 7).lag, 8 * MINUTE);
  assertEquals(lagAfter(1, -1).lag, 0);
  // Polled seldom: it was listed at some time between the two.
  assertEquals(lagAfter(60, 3).lag, 4 * MINUTE);
  assertEquals(lagAfter(8, null).lag, 0);
});

Deno.test("entryLag: an older run, as of a repaired history, shows none", () => {
  assertEquals(lagAfter(40, 39, { newestStart: START }).lag, 0);
  assertEquals(lagAfter(40, 39, { newestStart: START + HOUR }).lag, 0);
});

Deno.test("entryLag: the longest of a day, ended by a prompt run", () => {
  const before = { lag: 20 * MINUTE, observed: START - HOUR };
  assertEquals(lagAfter(8, 7, { before }).lag, 20 * MINUTE);
  assertEquals(lagAfter(1, -1, { before }).lag, 20 * MINUTE);
  const yesterday = { lag: 20 * MINUTE, observed: START - DAY };
  assertEquals(lagAfter(8, 7, { before: yesterday }).lag, 8 * MINUTE);
  assertEquals(lagAfter(1, -1, { before: yesterday }).lag, 0);
});

Deno.test("pollSchedule: sleep is no lag, which goes by the service's clock", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, BEGIN - 5 * HOUR, 6);
    await world.until(BEGIN + HOUR - 2 * MINUTE);
    world.sleepUntil(BEGIN + HOUR + 26 * MINUTE);
    await world.observer.pollDue();
    world.run(1, BEGIN + HOUR, { endTime: new Date(world.now()).toISOString() });
    await world.until(BEGIN + HOUR + 28 * MINUTE);
    const known = async () => (await world.records.verdicts.get(1))!.details;
    const { lag, runs } = await known();
    assertEquals([Math.ceil(lag!.lag! / MINUTE), runs], [27, 7]);
  }));

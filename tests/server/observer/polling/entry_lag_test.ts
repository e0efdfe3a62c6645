import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../../lib/time_units.ts";
import { runWell, START as BEGIN, withWorld } from "../world.ts";
import { JudgingError } from "../../../../server/observer/judging/judging.ts";
import type { EntryLag } from "../../../../server/store/records/verdicts.ts";
import { entryLag } from "../../../../server/observer/polling/judge_stored_runs.ts";

const START = Date.UTC(2026, 2, 10);
const KNOWN: EntryLag = { lag: 0, observed: null, ignoredUntil: START - HOUR };

/** The lag after one run started at START and was read that many minutes later. */
function lagAfter(asked: number, polled: number, before: Partial<EntryLag> = {}, start = START) {
  return entryLag([{ start }], {
    before: { ...KNOWN, ...before },
    requested: START + asked * MINUTE,
    polled: START + polled * MINUTE,
    everyMs: MINUTE,
    isLate: false,
  }).lag;
}

Deno.test("entryLag: a run that had started when the history was read before shows the lag", () => {
  assertEquals(lagAfter(8, 7), 8 * MINUTE);
  assertEquals(lagAfter(1, -1), 0);
  // A longer one that was seen before is forgotten slowly.
  assertEquals(lagAfter(8, 7, { lag: 20 * MINUTE }), 18 * MINUTE);
});

Deno.test("entryLag: a run that reappeared shows none", () => {
  assertEquals(lagAfter(40, 39, { ignoredUntil: START }), 0);
  assertEquals(lagAfter(40, 39, { ignoredUntil: START + HOUR / 2 }), 0);
});

Deno.test("entryLag: after a long time without an answer, only what was seen to be missing counts", () => {
  assertEquals(lagAfter(60, 3), 3 * MINUTE);
  assertEquals([lagAfter(8, 6), lagAfter(8, 5)], [8 * MINUTE, 5 * MINUTE]);
  const unknown = { lag: null };
  assertEquals([lagAfter(2, -1, unknown), lagAfter(3, -1, unknown)], [0, null]);
});

Deno.test("entryLag: is forgotten within a day where runs come promptly", () => {
  let known: EntryLag = KNOWN;
  const read = (start: number, requested: number) => {
    const reading = { requested, polled: requested - MINUTE, everyMs: MINUTE, isLate: false };
    known = entryLag([{ start }], { before: known, ...reading });
    return known.lag;
  };
  assertEquals(read(START, START + 20 * MINUTE), 20 * MINUTE);
  assertEquals(read(START + HOUR, START + HOUR + 30_000)! > 15 * MINUTE, true);
  assertEquals(read(START + DAY, START + DAY + 30_000), 0);
});

Deno.test("pollSchedule: that observer and service slept is no lag, and lag goes by the service's clock", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, BEGIN - 5 * HOUR, 6);
    await world.until(BEGIN + HOUR - 2 * MINUTE);
    world.sleepUntil(BEGIN + HOUR + 26 * MINUTE);
    await world.observer.pollDue();
    world.run(1, BEGIN + HOUR);
    await world.until(BEGIN + HOUR + 28 * MINUTE);
    const known = async () => (await world.records.verdicts.get(1))!.details;
    const { lag, runs } = await known();
    assertEquals([lag?.lag, runs], [null, 7]);
    world.clockOffset = HOUR;
    await world.until(BEGIN + 2 * HOUR + 10 * MINUTE);
    world.run(1, BEGIN + 3 * HOUR);
    await world.until(BEGIN + 2 * HOUR + 11 * MINUTE);
    assertEquals(Math.floor((await known()).lag!.lag! / MINUTE), 10);
  }));

Deno.test("pollSchedule: a late poll that finds nothing new does not judge again", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, BEGIN - 5 * HOUR, 6);
    await world.until(BEGIN + MINUTE);
    world.sleepUntil(BEGIN + 3 * HOUR);
    world.judgingFault = new JudgingError("judged");
    await world.observer.pollDue();
    const { polled, failure } = (await world.records.watches.get(1))!;
    const { lag } = (await world.records.verdicts.get(1))!.details;
    assertEquals([polled, failure, lag?.ignoredUntil], [world.now(), null, world.now()]);
  }, { plans: () => ({ cron: ["0 20 * * *"], zone: "UTC", graceMs: 0, since: BEGIN }) }));

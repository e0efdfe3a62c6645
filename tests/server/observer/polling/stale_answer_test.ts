import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../../lib/time_units.ts";
import { HttpStatusError } from "../../../../lib/errors.ts";
import { StaleAnswerError } from "../../../../server/observer/polling/service_access.ts";
import { runWell, START, withWorld, type World } from "../world.ts";

/** Lets the service answer for a while without the newest runs. */
async function withoutNewest(world: World, runs: number, until: number): Promise<void> {
  const whole = new Map(world.histories);
  for (const [id, history] of whole) world.histories.set(id, history.slice(0, -runs));
  for (const id of whole.keys()) await world.records.polls.makeDue(id, world.now());
  await world.until(until);
  for (const [id, history] of whole) world.histories.set(id, history);
}

const MANY = Array.from({ length: 50 }, (_, at) => at + 1);

Deno.test("pollSchedule: answers without the newest runs for 22 s make nothing overdue, and teach nothing", () =>
  withWorld(MANY, async (world) => {
    const lagOf = async (id: number) => (await world.records.verdicts.get(id))!.details.lag?.lag;
    for (const id of MANY) runWell(world, id, START - 30 * HOUR, 31);
    await world.until(START + 30 * MINUTE);
    const lag = await lagOf(1);
    const before = world.requests.length;
    await withoutNewest(world, 2, START + 30 * MINUTE + 22_000);
    assert(world.requests.length > before + MANY.length, "they are asked for again soon");
    await world.until(START + HOUR - 1);
    assertEquals(world.notified(), []);
    assertEquals([await lagOf(1), await world.records.runs.count(1)], [lag, 31]);
    const { failures, polled } = (await world.records.watches.get(1))!;
    assertEquals([failures, polled! > START + 30 * MINUTE + 22_000], [0, true]);
  }));

Deno.test("pollSchedule: answers that are stale for more than five minutes are one incident of the service", () =>
  withWorld([1, 2, 3], async (world) => {
    for (const id of [1, 2, 3]) runWell(world, id, START - 30 * HOUR, 31);
    await world.until(START + 30 * MINUTE);
    await withoutNewest(world, 4, START + 38 * MINUTE);
    assertEquals(world.notified(), ["opened stale service"]);
    const wait = world.sent[0].at - (START + 30 * MINUTE);
    assert(wait >= 5 * MINUTE && wait <= 6 * MINUTE, `${wait}`);
    await world.until(START + HOUR - 1);
    assertEquals(world.notified(), ["opened stale service", "resolved stale service"]);
  }));

Deno.test("pollSchedule: a run that was removed is believed to be after half an hour", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START - 30 * HOUR, 60);
    await world.until(START + 30 * MINUTE);
    const history = world.histories.get(1)!;
    world.histories.set(1, history.filter(({ id }) => id !== (START - HOUR) / 1000));
    await world.until(START + 3 * HOUR);
    assertEquals(world.notified(), ["opened stale 1", "resolved stale 1"]);
    const stored = await world.records.runs.newest(1, 60);
    assertEquals(stored.some(({ start }) => start === START - HOUR), false);
    // The poll at the full hour is the first that lacks it.
    const since = START + HOUR;
    assertEquals(world.sent.map(({ at }) => Math.round((at - since) / MINUTE)), [5, 30]);
  }));

Deno.test("pollSchedule: a removed run is believed to be, whatever else fails or is removed meanwhile", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START - 30 * HOUR, 60);
    await world.until(START + 30 * MINUTE);
    const remove = (start: number) =>
      world.histories.set(1, world.histories.get(1)!.filter(({ id }) => id !== start / 1000));
    remove(START - HOUR);
    const polls = new Set<number>();
    world.fault = (id) => {
      if (id !== 1) return null;
      polls.add(world.now());
      if (polls.size === 5) remove(START - 2 * HOUR);
      return polls.size % 3 === 0 ? new HttpStatusError(500, "x", {}) : null;
    };
    await world.until(START + 3 * HOUR);
    const stored = await world.records.runs.newest(1, 60);
    assertEquals(
      stored.filter(({ start }) => start === START - HOUR || start === START - 2 * HOUR),
      [],
    );
    assertEquals(await world.records.incidents.allOpen(), []);
  }));

Deno.test("pollSchedule: a run that had ended and is open again is a stale answer", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 30 * HOUR, 30);
    world.run(1, START, { status: "failure" });
    await world.until(START + 20 * MINUTE);
    const run = world.histories.get(1)!.at(-1)!;
    const earlier = { ...run, status: "running", endTime: undefined };
    world.histories.get(1)!.splice(-1, 1, earlier);
    await world.records.polls.makeDue(1, world.now());
    await world.until(START + 21 * MINUTE);
    world.histories.get(1)!.splice(-1, 1, run);
    await world.until(START + HOUR - 1);
    assertEquals(world.notified(), ["opened failing 1"]);
  }));

Deno.test("pollSchedule: one failed request after a stale answer is not sent", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 10);
    await world.until(START + 10 * MINUTE);
    const faults = [new StaleAnswerError("x"), new HttpStatusError(502, "x", {})];
    world.fault = () => faults.shift();
    await world.until(START + 2 * HOUR);
    assertEquals([faults.length, world.notified()], [0, []]);
  }));

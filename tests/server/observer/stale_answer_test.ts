import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { StaleAnswerError } from "../../../server/observer/service_access.ts";
import { runWell, START, withWorld, type World } from "./world.ts";

/** A world whose schedules ran well until shortly after the start. */
function withHistories(ids: readonly number[], test: (world: World) => Promise<void>) {
  return withWorld(ids, async (world) => {
    for (const id of ids) runWell(world, id, START - 30 * HOUR, 31);
    await world.until(START + 30 * MINUTE);
    await test(world);
  });
}

/** Lets the service answer for a while without the newest runs. */
async function withoutNewest(world: World, runs: number, until: number): Promise<void> {
  const whole = new Map(world.histories);
  for (const [id, history] of whole) world.histories.set(id, history.slice(0, -runs));
  for (const id of whole.keys()) await world.records.polls.makeDue(id, world.now());
  await world.until(until);
  for (const [id, history] of whole) world.histories.set(id, history);
}

Deno.test("pollSchedule: a stale answer changes nothing, asked again in 30 s", () =>
  withHistories(Array.from({ length: 10 }, (_, at) => at + 1), async (world) => {
    const { requests, records: { verdicts, runs, watches } } = world;
    const lag = async () => (await verdicts.get(1))!.details.lag?.lag;
    const [before, lagBefore] = [requests.length, await lag()];
    await withoutNewest(world, 2, START + 30 * MINUTE + 29 * SECOND);
    assertEquals(requests.length, before + 10);
    await world.until(START + 30 * MINUTE + 31 * SECOND);
    assertEquals(requests.length, before + 20);
    await world.until(START + HOUR - 1);
    assertEquals(world.notified(), []);
    assertEquals([await lag(), await runs.count(1)], [lagBefore, 31]);
    assertEquals((await watches.get(1))!.failures, 0);
  }));

Deno.test("pollSchedule: five minutes of stale answers are one incident, whatever failed before", () =>
  withHistories([1, 2], async (world) => {
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.records.polls.makeDue([1, 2], world.now());
    await world.until(START + 50 * MINUTE);
    assertEquals(world.notified(), ["opened unreadable service"]);
    world.fault = null;
    const since = world.now();
    await withoutNewest(world, 4, START + 58 * MINUTE);
    const { at, message } = world.sent.at(-1)!;
    assertEquals(world.notified().slice(1), ["opened stale service"]);
    const wait = at - since;
    assert(wait >= 5 * MINUTE && wait <= 6 * MINUTE, `${wait}`);
    assertEquals(message.event.data.reason.since, new Date(since).toISOString());
    await world.until(START + 2 * HOUR - 1);
    const sent = world.notified().filter((each) => each.includes("stale"));
    assertEquals(sent, ["opened stale service", "resolved stale service"]);
  }));

Deno.test("pollSchedule: old dates among errors are an incident after five minutes, too", () =>
  withHistories([1], async (world) => {
    let polls = 0;
    const stale = new StaleAnswerError("its date is not that of the service's other answers");
    world.fault = () => ++polls % 3 === 0 ? new HttpStatusError(500, "x", {}) : stale;
    await world.records.polls.makeDue(1, world.now());
    await world.until(START + 38 * MINUTE);
    assertEquals(world.notified(), ["opened stale service"]);
    const wait = world.sent[0].at - (START + 30 * MINUTE);
    assert(wait >= 5 * MINUTE && wait <= 6 * MINUTE, `${wait}`);
  }));

Deno.test("pollSchedule: runs missing for half an hour count as removed, whatever fails meanwhile", () =>
  withHistories([1, 2], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START + HOUR, 3);
    const isGone = (start: number | null) => start === START - HOUR || start === START - 2 * HOUR;
    const history = world.histories.get(1)!;
    world.histories.set(1, history.filter(({ id }) => !isGone(id * 1000)));
    let polls = 0;
    world.fault = (id) => id === 1 && ++polls % 5 === 0 ? new HttpStatusError(500, "x", {}) : null;
    await world.until(START + 50 * MINUTE);
    assertEquals(world.notified(), ["opened stale service"]);
    await world.until(START + 3 * HOUR);
    const stored = await world.records.runs.newest(1, 60);
    assertEquals(stored.filter(({ start }) => isGone(start)), []);
    const stale = world.notified().filter((each) => each.includes("stale"));
    assertEquals(stale, ["opened stale service", "resolved stale service"]);
  }));

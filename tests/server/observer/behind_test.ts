import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { MAX_POLLS } from "../../../server/store/records/polls.ts";
import { openCodes, runWell, START, withWorld, type World } from "./world.ts";

/** Lets the observer work for a while on a service that takes as long for each answer. */
async function workSlowly(world: World, minutes: number, answerMs: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    const end = world.now() + MINUTE;
    const ending = new AbortController();
    world.fault = () => {
      world.sleepUntil(world.now() + answerMs / MAX_POLLS);
      if (world.now() >= end) ending.abort();
      return null;
    };
    await world.observer.pollDue(ending.signal);
    world.sleepUntil(Math.max(world.now(), end));
    await world.observer.doDuties();
  }
}

/** Does the duties of some minutes, though nothing is polled. */
async function onlyDuties(world: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    world.sleepUntil(world.now() + MINUTE);
    await world.observer.doDuties();
  }
}

const WATCHES = Array.from({ length: 200 }, (_, at) => at + 1);

Deno.test("checkService: too many watches for a slow service are an incident", () =>
  withWorld(WATCHES, async (world) => {
    // A round takes 21 minutes.
    await workSlowly(world, 15, 50_000);
    await world.observer.sendDue();
    assertEquals(world.logged, ["warn Polls are late"]);
    const [incident, ...others] = await world.records.incidents.allOpen();
    assertEquals([incident.code, incident.scheduleId, others], ["behind", null, []]);
    assert(incident.reason.code === "behind" && incident.reason.lateMs > 9 * MINUTE);
    await workSlowly(world, 5, MAX_POLLS);
    assertEquals(world.logged, ["warn Polls are late", "info Polls are in time again"]);
    await world.observer.sendDue();
    assertEquals(world.notified(), ["opened behind service", "resolved behind service"]);
  }, { plans: () => null }));

Deno.test("checkService: nothing is late after a stop, but during a pause", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 10);
    await world.until(START + 30 * MINUTE);
    await onlyDuties(world, 1);
    world.sleepUntil(START + 4 * HOUR);
    await onlyDuties(world, 1);
    assertEquals(world.logged, []);
    await world.records.service.store({ pausedUntil: world.now() + HOUR });
    await onlyDuties(world, 30);
    assertEquals(world.logged, ["warn Polls are late"]);
    assert((await openCodes(world, null)).includes("behind"));
  }));

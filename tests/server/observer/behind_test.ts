import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { runWell, START, withWorld, type World } from "./world.ts";

/** Does the duties of some minutes, though nothing is polled. */
async function onlyDuties(world: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    world.sleepUntil(world.now() + MINUTE);
    await world.observer.doDuties();
  }
}

Deno.test("checkService: polls that stay late are an incident, and those after a stop are not", () =>
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
    const [{ reason }] = await world.records.incidents.open(null);
    assert(reason.code === "behind" && reason.lateMs > 3 * HOUR);
    world.sleepUntil(START + 6 * HOUR);
    await world.until(START + 6 * HOUR + 2 * MINUTE);
    assertEquals(world.logged, ["warn Polls are late", "info Polls are in time again"]);
    const sent = world.notified().filter((each) => each.includes("behind"));
    assertEquals(sent, ["opened behind service", "resolved behind service"]);
  }));

Deno.test("checkService: polls are late after five minutes, since when the first was due", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.until(START + MINUTE);
    const due = world.now() + 10 * MINUTE;
    await world.records.polls.makeDue(1, due);
    await onlyDuties(world, 15);
    assertEquals(world.logged, []);
    await onlyDuties(world, 1);
    assertEquals(world.logged, ["warn Polls are late"]);
    assertEquals((await world.records.incidents.open(null))[0].since, due);
  }));

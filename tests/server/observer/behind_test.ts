import { assertEquals } from "@std/assert";
import { checkBehind } from "../../../server/observer/behind.ts";
import { setNumber } from "../../../server/store/observer/values.ts";
import { HOUR, MINUTE, runWell, START, withWorld, type World } from "./world.ts";

/** Checks every minute for a while, though nothing is polled; gives what is logged. */
async function check(world: World, minutes: number): Promise<string[]> {
  const logged: string[] = [];
  const { records, now } = world;
  for (let minute = 0; minute < minutes; minute++) {
    world.sleepUntil(now() + MINUTE);
    await checkBehind({
      records,
      now,
      origin: "https://docket.example.com",
      onEvent: (level, message) => logged.push(`${level} ${message}`),
    });
  }
  return logged;
}

Deno.test("checkBehind: polls that stay late are an incident of the service, and a line in the log", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 10);
    await world.until(START + 30 * MINUTE);
    await world.records.polls.makeDue(1, world.now());
    assertEquals(await check(world, 10), []);
    assertEquals(await check(world, 5), ["warn Polls are late"]);
    const [incident] = await world.records.incidents.open(null);
    assertEquals([incident.code, incident.severity], ["behind", "critical"]);
    await world.until(world.now());
    assertEquals(world.notified(), ["opened behind service"]);
    assertEquals(await check(world, 2), ["info Polls are in time again"]);
    await world.until(world.now() + 1);
    assertEquals(world.notified(), ["opened behind service", "resolved behind service"]);
  }));

Deno.test("checkBehind: after a time in which nothing ran, and while the service asked for a pause, nothing is late", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 10);
    await world.until(START + 30 * MINUTE);
    await check(world, 1);
    world.sleepUntil(START + 4 * HOUR);
    assertEquals(await check(world, 1), []);
    await world.records.commit([setNumber("service/paused-until", world.now() + HOUR)]);
    assertEquals(await check(world, 30), []);
    assertEquals(await world.records.incidents.allOpen(), []);
  }));

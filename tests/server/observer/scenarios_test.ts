/** A clock that jumps, and a beginning with old trouble. */
import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { runWell, START, withWorld } from "./world.ts";

for (const jump of [DAY, -DAY]) {
  const name = jump > 0 ? "forward" : "back";
  Deno.test(`pollSchedule: a clock that jumps a day ${name} and returns invents nothing`, () =>
    withWorld([1], async (world) => {
      runWell(world, 1, START - 48 * HOUR, 48);
      await world.until(START - 1);
      world.run(1, START);
      await world.until(START + HOUR - 1);
      const before = world.now();
      world.sleepUntil(before + jump);
      // The service's clock did not jump.
      world.clockOffset = -jump;
      await world.observer.pollDue();
      await world.observer.doDuties();
      world.sleepUntil(before);
      world.clockOffset = 0;
      for (const hour of [1, 2]) {
        world.run(1, START + hour * HOUR);
        await world.until(START + (hour + 1) * HOUR - 1);
      }
      assertEquals(world.notified().filter((each) => !each.includes("clock")), []);
      world.run(1, START + 3 * HOUR, { status: "failure" });
      await world.until(START + 3 * HOUR + 12 * MINUTE);
      assertEquals(world.notified().at(-1), "opened failing 1");
    }));
}

Deno.test("pollSchedule: a first poll of schedules with old trouble sends what is critical alone", () =>
  withWorld([1, 2, 3, 4, 5, 6], async (world) => {
    for (const id of world.histories.keys()) {
      for (let hour = -40; hour < 0; hour++) {
        if (hour === -5 && id % 3 === 0) continue;
        const status = hour === -1 && id === 1 ? "failure" : "success";
        world.run(id, START + hour * HOUR, { status });
      }
    }
    await world.until(START);
    assertEquals(world.notified(), ["opened failing 1"]);
    const open = await world.records.incidents.allOpen();
    assertEquals(open.map(({ code }) => code).sort(), ["failing", "missed", "missed"]);
  }));

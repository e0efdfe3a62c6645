/** Scenarios of which the service's answers are a part, from these to what is sent. */
import { assertEquals } from "@std/assert";
import { HttpStatusError } from "../../../lib/errors.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { runWell, START, withWorld, type World } from "./world.ts";

/** Plays a scenario with one schedule that ran well for two days, each hour. */
function scenario(name: string, play: (world: World) => Promise<void>): void {
  Deno.test(`scenario: ${name}`, () =>
    withWorld([1], async (world) => {
      runWell(world, 1, START - 48 * HOUR, 48);
      await world.until(START - 1);
      await play(world);
    }));
}

scenario(
  "a service that can't be read while a run is overdue leaves that as it is",
  async (world) => {
    await world.until(START + 10 * MINUTE);
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.until(START + 3 * HOUR);
    assertEquals(world.notified(), ["opened overdue 1", "opened unreadable service"]);
    world.fault = null;
    runWell(world, 1, START, 4);
    await world.until(START + 3 * HOUR + 15 * MINUTE);
    const after = world.notified().slice(2).toSorted();
    assertEquals(after, ["resolved overdue 1", "resolved unreadable service"]);
  },
);

for (const jump of [DAY, -DAY]) {
  const name = jump > 0 ? "forward" : "back";
  scenario(`a clock that jumps a day ${name} and returns invents nothing`, async (world) => {
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
  });
}

Deno.test("scenario: a first poll of schedules with old trouble sends what is critical alone", () =>
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

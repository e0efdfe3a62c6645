import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { GRACE, runWell, START, withWorld } from "./world.ts";

Deno.test("pollSchedule: a muted schedule is recorded, and sent when the mute ends", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.records.watches.change(1, { mutedUntil: START + 30 * MINUTE }, START);
    await world.until(START + 29 * MINUTE);
    assertEquals(world.notified(), []);
    assertEquals((await world.records.incidents.open(1)).map(({ code }) => code), ["overdue"]);
    await world.until(START + 40 * MINUTE);
    assertEquals(world.notified(), ["opened overdue 1"]);
    assertEquals(world.sent[0].at, START + 30 * MINUTE);
  }));

Deno.test("pollSchedule: nothing is sent when muted or planned during a poll", () =>
  withWorld([1, 2, 3], async (world) => {
    const { watches } = world.records;
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 5);
    await world.until(START + 4 * MINUTE);
    const changes = new Map<number, Promise<unknown>>();
    world.fault = (id) => {
      const pauses = [{ from: START - MINUTE, to: START + 9 * HOUR }];
      const settings = [{}, { mutedUntil: START + 9 * HOUR }, { pauses }][id - 1];
      // At the poll that finds it overdue.
      if (id > 1 && world.now() > START + GRACE && !changes.has(id)) {
        changes.set(id, watches.change(id, settings, world.now() + 1));
      }
      return null;
    };
    await world.until(START + HOUR - 1);
    assertEquals(changes.size, 2);
    assertEquals(world.notified(), ["opened overdue 1"]);
    assertEquals((await world.records.incidents.open(2)).map(({ code }) => code), ["overdue"]);
    assertEquals(await world.records.incidents.open(3), []);
  }));

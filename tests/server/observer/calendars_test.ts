import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { ADA } from "../../actors.ts";
import { runWell, START, withWorld } from "./world.ts";

Deno.test("createObserver: a calendar's day opens no incident", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 48 * HOUR, 48);
    const { calendars, polls, incidents } = world.records;
    const calendar = { name: "Holidays", days: ["2026-03-10"], changed: START, actor: ADA };
    await calendars.save({ ...calendar, scheduleIds: [1] });
    const codes = async (at: number) => {
      await world.until(at);
      await polls.makeDue(1, world.now());
      await world.until(at + MINUTE);
      return (await incidents.open(1)).map(({ code }) => code);
    };
    assertEquals(await codes(START + 5 * HOUR + 30 * MINUTE), []);
    await calendars.remove("Holidays", { actor: ADA, now: world.now() });
    assertEquals(await codes(START + 5 * HOUR + 32 * MINUTE), ["overdue"]);
    await calendars.save({ ...calendar, scheduleIds: null });
    assertEquals(await codes(START + 5 * HOUR + 34 * MINUTE), []);
    assertEquals(world.notified(), ["opened overdue 1", "resolved overdue 1"]);
  }));

import { assert, assertEquals } from "@std/assert";
import { HOUR, runWell, START, withWorld } from "../world.ts";

Deno.test("readWhole: a long history is read once to its end, and then only what is new", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5000 * HOUR, 5000);
    await world.until(START + 60_000);
    assertEquals(await world.records.runs.count(1), 5000);
    assertEquals(await world.records.values.text("history read/1"), "whole");
    const read = world.requests.length;
    await world.until(START + 10 * 60_000);
    assert(world.requests.length - read < 15, `${world.requests.length - read} more requests`);
  }));

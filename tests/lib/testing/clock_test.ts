import { assertEquals } from "@std/assert";
import { createTestClock } from "../../../lib/testing/mod.ts";

Deno.test("createTestClock: fires what is due, in order of time, and nothing that was cancelled", () => {
  const { runtime, advance, waits } = createTestClock();
  const began = Date.UTC(2026, 0, 15, 12);
  assertEquals(runtime.now(), began);
  const fired: [ms: number, at: number][] = [];
  const start = (ms: number) => runtime.setTimer(() => fired.push([ms, runtime.now() - began]), ms);
  for (const ms of [7, 3, -2, 20]) start(ms);
  start(5)();
  assertEquals(fired, []);
  advance(6);
  assertEquals([fired, runtime.now() - began], [[[-2, 0], [3, 3]], 6]);
  advance(1);
  assertEquals([fired.slice(2), runtime.now() - began], [[[7, 7]], 7]);
  assertEquals(waits, []);
});

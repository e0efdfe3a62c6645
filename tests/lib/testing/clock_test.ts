import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createTestClock } from "../../../lib/testing/mod.ts";

const BEGIN = Date.UTC(2026, 0, 15, 12);

Deno.test("createTestClock: fires what is due, in order of time, and nothing that was cancelled", () =>
  fc.assert(fc.property(
    fc.array(fc.record({ ms: fc.integer({ min: -2, max: 20 }), isCancelled: fc.boolean() })),
    fc.array(fc.nat(8), { maxLength: 4 }),
    (timers, steps) => {
      const { runtime, advance, ...clock } = createTestClock();
      const fired: [ms: number, at: number][] = [];
      for (const { ms, isCancelled } of timers) {
        const cancel = runtime.setTimer(() => fired.push([ms, runtime.now() - BEGIN]), ms);
        if (isCancelled) cancel();
      }
      for (const step of steps) advance(step);
      const passed = steps.reduce((sum, step) => sum + step, 0);
      const due = timers.filter(({ ms, isCancelled }) => !isCancelled && ms <= passed)
        .map(({ ms }) => Math.max(0, ms));
      assertEquals(runtime.now() - BEGIN, passed);
      const isMoved = steps.length > 0;
      assertEquals(fired.map(([, at]) => at), isMoved ? due.sort((a, b) => a - b) : []);
      assertEquals(fired.every(([ms, at]) => at === Math.max(0, ms)), true);
      assertEquals(clock.waits, []);
    },
  )));

Deno.test("createTestClock: a wait moves it to what is due first, a timeout alone does not", async () => {
  const clock = createTestClock();
  const { now, setTimer, sleep, random } = clock.runtime;
  const fired: number[] = [];
  setTimer(() => fired.push(now() - BEGIN), 5);
  setTimer(() => fired.push(now() - BEGIN), 50);
  assertEquals([fired, clock.pending, random()], [[], 2, 0.5]);
  await Promise.all([sleep(10), sleep(20), sleep(0)]);
  assertEquals([fired, now() - BEGIN, clock.pending], [[5], 20, 1]);
  await sleep(1);
  assertEquals([now() - BEGIN, clock.waits], [21, [10, 20, 0, 1]]);
});

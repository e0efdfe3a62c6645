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

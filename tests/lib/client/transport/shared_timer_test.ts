import { assertEquals } from "@std/assert";
import { shareTimer } from "../../../../lib/client/transport/shared_timer.ts";
import { createTestClock } from "../../../../lib/testing/mod.ts";

Deno.test("shareTimer: every limit is kept in time, with one real timer", () => {
  const clock = createTestClock();
  const { setTimer, close } = shareTimer(clock.runtime);
  const fired: string[] = [];
  setTimer(() => fired.push("late"), 3000);
  setTimer(() => fired.push("early"), 1000);
  const cancel = setTimer(() => fired.push("cancelled"), 2000);
  assertEquals(clock.pending, 1);
  clock.advance(999);
  assertEquals(fired, []);
  clock.advance(1);
  assertEquals(fired, ["early"]);
  cancel();
  clock.advance(1000);
  assertEquals(fired, ["early"]);
  clock.advance(1000);
  assertEquals([fired, clock.pending], [["early", "late"], 0]);
  close();
});

Deno.test("shareTimer: a limit set later, after others were called off, is kept too", () => {
  const clock = createTestClock();
  const { setTimer, close } = shareTimer(clock.runtime);
  let fired = 0;
  setTimer(() => fired++, 1000)();
  clock.advance(500);
  setTimer(() => fired++, 1000);
  clock.advance(999);
  assertEquals(fired, 0);
  clock.advance(1);
  assertEquals([fired, clock.pending], [1, 0]);
  setTimer(() => fired++, 1000);
  close();
  assertEquals(clock.pending, 0);
});

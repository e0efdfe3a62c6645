import { assertEquals } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { createServiceClock } from "../../../server/observer/service_access.ts";

Deno.test("createServiceClock: one wrong answer is not believed", () => {
  for (const wrongAt of [0, 1, 5]) {
    const clock = createServiceClock();
    for (let answer = 0; answer < 12; answer++) {
      const isWrong = answer === wrongAt;
      assertEquals(clock.addOffset(isWrong ? -HOUR : 200), !isWrong);
      if (answer > 1) assertEquals(clock.offset(), 200);
    }
  }
});

Deno.test("createServiceClock: a clock that was changed is believed when most answers agree", () => {
  const clock = createServiceClock();
  for (let answer = 0; answer < 9; answer++) clock.addOffset(0);
  const believed = Array.from({ length: 7 }, () => clock.addOffset(HOUR));
  assertEquals(believed, [false, false, false, false, false, true, true]);
  assertEquals(clock.offset(), HOUR);
});

Deno.test("createServiceClock: another instance starts with the offsets that are stored", () => {
  const clock = createServiceClock();
  clock.startWith([HOUR, HOUR, HOUR + 5]);
  assertEquals([clock.offset(), clock.addOffset(0), clock.addOffset(HOUR)], [HOUR, false, true]);
  clock.startWith([0]);
  assertEquals(clock.offset(), HOUR);
});

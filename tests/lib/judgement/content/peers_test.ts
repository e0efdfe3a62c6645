import { assertEquals } from "@std/assert";
import { bestGrouping, GROUPINGS } from "../../../../lib/judgement/content/peers.ts";

Deno.test("bestGrouping: the simplest one that explains what differs, if that is worth its groups", () => {
  const hours = Array.from({ length: 90 * 24 }, (_, hour) => hour);
  const bestOf = (difference: number) =>
    GROUPINGS.map((grouping) =>
      bestGrouping(hours, hours.map((hour) => difference * (grouping(hour) % 17)))
    );
  assertEquals(bestOf(1), [...GROUPINGS.keys()]);
  assertEquals(bestOf(0.00001), GROUPINGS.map(() => 0));
  // Two weeks show that weekends differ.
  const days = hours.filter((hour) => hour % 24 === 6).slice(0, 14);
  assertEquals(bestGrouping(days, days.map(GROUPINGS[1])), 1);
});

import { assertEquals } from "@std/assert";
import { inferPlan } from "../../../../lib/mod.ts";
import { randomFrom } from "../histories/random.ts";
import { runsAt } from "../runs_at.ts";

Deno.test("inferPlan: every second or third day is no daily plan", () => {
  const cronOf = (isDue: (day: number) => boolean) => {
    const starts = Array.from({ length: 90 }, (_, day) => day).filter(isDue)
      .map((day, id) => Date.UTC(2025, 0, 1 + day, 6, 0, id * 7 % 20));
    return inferPlan(runsAt(starts), { now: Date.UTC(2025, 2, 31, 12) })?.cron.join();
  };
  const random = randomFrom(3);
  assertEquals(cronOf((day) => day % 2 === 0), undefined);
  assertEquals(cronOf((day) => day % 3 === 0), undefined);
  assertEquals(cronOf((day) => day % 3 > 0), "0 6 * * *");
  assertEquals(cronOf(() => random.next() < 0.4), "0 6 * * *");
});

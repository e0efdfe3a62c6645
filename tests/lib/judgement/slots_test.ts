import { assertEquals } from "@std/assert";
import { expectedSlots } from "../../../lib/judgement/slots.ts";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";

Deno.test("expectedSlots: skips what is excused, and ends with a pause that has no end", () => {
  const begin = Date.UTC(2026, 0, 5);
  const plan = { cron: ["0 */2 * * *"], zone: "UTC", graceMs: 10 * MINUTE, since: 0 };
  const slots = (to: number | null) =>
    expectedSlots(plan, begin, [{ from: begin + 2 * HOUR, to }], 3).map((at) =>
      (at - begin) / HOUR
    );
  assertEquals([slots(begin + 5 * HOUR), slots(null)], [[0, 6, 8], [0]]);
});

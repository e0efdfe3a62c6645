import { assertEquals } from "@std/assert";
import { createKeptSlots } from "../../../server/schedules/kept_slots.ts";

const HOUR = 3_600_000;
const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 0, since: 0 };
const other = { ...plan, cron: ["0 7 * * *"] };

Deno.test("createKeptSlots: worked out once for each plan and span, within a bound", () => {
  let worked = 0;
  const slotsOf = createKeptSlots(1, (plan, from) => {
    worked++;
    return [from + Number(plan.cron[0].split(" ")[1]) * HOUR];
  });
  assertEquals(slotsOf(plan, 0, 24 * HOUR), [6 * HOUR]);
  assertEquals(slotsOf({ ...plan }, 0, 24 * HOUR), [6 * HOUR]);
  assertEquals(worked, 1);
  assertEquals(slotsOf(plan, HOUR, 25 * HOUR), [7 * HOUR]);
  assertEquals(worked, 2);
  assertEquals(slotsOf(other, HOUR, 25 * HOUR), [8 * HOUR]);
  slotsOf(plan, HOUR, 25 * HOUR);
  assertEquals(worked, 4);
});

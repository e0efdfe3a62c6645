import { assert } from "@std/assert";
import { candidatesFor } from "../../../../lib/judgement/plans/candidates.ts";
import { slotTimes } from "../../../../lib/judgement/plans/slot_times.ts";
import { planSlots } from "../../../../lib/mod.ts";
import { clockOf } from "../../../../lib/zone_clock.ts";

Deno.test("candidatesFor: each slot of a plan has the next one within reach", () => {
  const clock = clockOf("UTC");
  const [from, to] = [Date.UTC(2022, 0, 1), Date.UTC(2028, 0, 1)];
  for (const days of ["* * *", "* * 1", "31 * *", "* * 1#1", "* * 1#5", "* 1 1#1"]) {
    const cron = [`0 6 ${days}`];
    const slots = planSlots({ cron, zone: "UTC", graceMs: 0, since: 0 }, from, to);
    const candidates = candidatesFor(Float64Array.from(slots), { clock, bits: 0 }, new Map());
    const found = candidates.find((candidate) => candidate.cron.join() === cron.join())!;
    for (const slot of slots) {
      assert(slotTimes(found.plan, slot + 1, slot + found.reach).length > 0, `${days} ${slot}`);
    }
  }
});

import { assertEquals } from "@std/assert";
import { HOUR } from "../../../../../lib/time_units.ts";
import { clockChangeWait } from "../../../../../lib/judgement/plans/zones/clock_change_wait.ts";

/** How many hours longer a slot waits, of a plan in UTC. */
function hoursFor(cron: string, slot: string, since = "2026-10-01", latest = "2026-10-24"): number {
  const [start, run, at] = [since, latest, slot].map((text) => Date.parse(text));
  return clockChangeWait({ cron: [cron], zone: "UTC", graceMs: 0, since: start }, run, at) / HOUR;
}

Deno.test("clockChangeWait: an hour after clocks went back in a zone that the runs can't tell from the plan's", () => {
  const daily = "0 6 * * *";
  // Clocks went back in Europe on 25 October, and in America on 1 November.
  assertEquals(hoursFor(daily, "2026-10-26T06:00Z"), 1);
  assertEquals(hoursFor(daily, "2026-10-24T06:00Z"), 0);
  assertEquals(hoursFor(daily, "2026-10-28T06:00Z", "2026-10-25T02:00Z", "2026-10-27T06:00Z"), 0);
  assertEquals(hoursFor(daily, "2026-11-02T06:00Z", "2026-10-25T02:00Z", "2026-10-27T06:00Z"), 1);
  // In spring, clocks went ahead: a run at 06:00 since then shows that it is UTC.
  assertEquals(hoursFor(daily, "2026-10-26T06:00Z", "2026-01-01"), 0);
});

Deno.test("clockChangeWait: nothing if the hour before is a slot as well", () => {
  assertEquals(
    ["0 6 * * *", "0 5,6 * * *", "0 6,7 * * *"].map((cron) => hoursFor(cron, "2026-10-26T06:00Z")),
    [1, 0, 1],
  );
});

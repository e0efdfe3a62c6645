import { assertEquals } from "@std/assert";
import { addDays, dayIn, startOfDay } from "../../../lib/days.ts";
import { defaultStatusDictionary } from "../../../lib/mod.ts";
import { judgeHealth } from "../../../lib/runs/health.ts";
import { timeOf } from "../../../lib/runs/times.ts";

const dictionary = defaultStatusDictionary();

function at(day: number, hour = 6): string {
  return new Date(Date.UTC(2026, 0, day, hour)).toISOString();
}

Deno.test("timeOf: without a zone UTC, a day is its first moment", () => {
  assertEquals(timeOf("2026-01-01T06:00:00"), Date.UTC(2026, 0, 1, 6));
  assertEquals(timeOf("2026-01-01T06:00:00.5+02:00"), Date.UTC(2026, 0, 1, 4) + 500);
  assertEquals(timeOf("2026-01-01"), Date.UTC(2026, 0, 1));
  assertEquals([timeOf(""), timeOf(null), timeOf("soon")], [undefined, undefined, undefined]);
});

Deno.test("timeOf: without a zone that of the service, also with a blank", () => {
  assertEquals(timeOf("2026-01-01 06:00:00"), Date.UTC(2026, 0, 1, 6));
  assertEquals(timeOf("2026-06-01 06:00:00", "Europe/Berlin"), Date.UTC(2026, 5, 1, 4));
  assertEquals(timeOf("2026-06-01", "Europe/Berlin"), Date.UTC(2026, 4, 31, 22));
  assertEquals(timeOf("2026-06-01T06:00:00Z", "Europe/Berlin"), Date.UTC(2026, 5, 1, 6));
  assertEquals(timeOf("2026-03-29T02:30:00", "Europe/Berlin"), Date.UTC(2026, 2, 29, 1, 30));
  assertEquals(timeOf("2026-10-25T02:30:00", "Europe/Berlin"), Date.UTC(2026, 9, 25, 0, 30));
});

Deno.test("startOfDay: whole days of the zone, also where clocks change at midnight", () => {
  const zones = "UTC Europe/Berlin America/New_York Pacific/Kiritimati America/Santiago";
  for (const zone of zones.split(" ")) {
    for (const day of ["2026-03-29", "2026-09-06", "2026-10-25", "2026-11-01", "2026-12-31"]) {
      const start = startOfDay(day, zone)!;
      assertEquals([dayIn(zone)(start), dayIn(zone)(start - 1)], [day, addDays(day, -1)], zone);
    }
  }
  assertEquals([startOfDay("2026-02-30", "UTC"), startOfDay("today", "UTC")], [
    undefined,
    undefined,
  ]);
});

Deno.test("judgeHealth: a run without a start is counted, and is nobody's latest", () => {
  const runs = [{ id: 9, status: "success" }, { id: 1, status: "failure", startTime: at(1) }];
  const { latest, lastGood, counts } = judgeHealth(runs, dictionary);
  assertEquals([latest?.id, lastGood, counts.good], [1, null, 1]);
});

import { assertEquals } from "@std/assert";
import { addDays, dayIn, startOfDay } from "../../../lib/days.ts";
import { durationOf, newestFirst, timeOf, withZone } from "../../../lib/runs/times.ts";

Deno.test("timeOf: without a zone that of the service, also with a blank", () => {
  for (const text of ["2026-01-01 06:00:00", "2026-01-01T06:00:00", " 2026-01-01T08:00+02:00 "]) {
    assertEquals(timeOf(text), Date.UTC(2026, 0, 1, 6), text);
  }
  assertEquals([timeOf(""), timeOf(null), timeOf("soon")], [undefined, undefined, undefined]);
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
  // The platform takes the year 26 for 1926.
  for (const text of ["2026-02-30", "today", "0026-01-01"]) {
    assertEquals(startOfDay(text, "Europe/Berlin"), undefined, text);
  }
});

Deno.test("newestFirst: by start, then by id, and runs without a start are last", () => {
  const [early, late] = ["2026-01-01T06:00:00Z", "2026-01-02T06:00:00Z"];
  const timed = [early, late, late].map((startTime, at) => ({ id: at + 1, startTime }));
  const runs = [{ id: 9 }, ...timed, { id: 4, startTime: null }];
  for (const unsorted of [runs, runs.toReversed()]) {
    assertEquals(newestFirst(unsorted).map(({ id }) => id), [3, 2, 1, 9, 4]);
  }
});

Deno.test("withZone: names the zone of times without one, and leaves all others alone", () => {
  const run = { startTime: "2026-06-01 06:00:00", endTime: "2026-06-01" };
  const { startTime, endTime } = withZone(run, "Europe/Berlin");
  assertEquals([startTime, endTime], ["2026-06-01T04:00:00.000Z", "2026-05-31T22:00:00.000Z"]);
  for (const startTime of ["2026-06-01T06:00:00Z", "2026-06-01T06:00:00+0200", "soon", null]) {
    const run = { startTime };
    assertEquals(withZone(run, "Europe/Berlin") === run, true, String(startTime));
  }
});

Deno.test("durationOf: negative if the end is before the start, unknown if a time is", () => {
  const [startTime, endTime] = ["2026-01-01T06:00:00Z", "2026-01-01T06:00:30Z"];
  const swapped = { startTime: endTime, endTime: startTime };
  const durations = [{ startTime, endTime }, swapped, { startTime }, { endTime }].map(durationOf);
  assertEquals(durations, [30_000, -30_000, undefined, undefined]);
});

import { assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { MINUTE } from "../../lib/time_units.ts";
import { clockOf } from "../../lib/zone_clock.ts";

const zone = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Africa/Casablanca",
  "Australia/Lord_Howe",
);
const time = fc.integer({ min: 20 * 525_600, max: 70 * 525_600 }).map((minute) => minute * MINUTE);

/** The local time that the platform shows, as if that were UTC. */
function shownIn(timeZone: string, time: number): number {
  const text = new Date(time).toLocaleString("sv-SE", { timeZone });
  return Date.parse(`${text.replace(" ", "T")}Z`);
}

Deno.test("clockOf: shows the times that the platform shows", () =>
  fc.assert(fc.property(zone, fc.array(time, { maxLength: 5 }), (zone, times) => {
    const sorted = times.toSorted((a, b) => a - b);
    assertEquals([...clockOf(zone).toLocal(sorted)], sorted.map((time) => shownIn(zone, time)));
  })));

Deno.test("clockOf: caches clocks, but not without a limit, as zones can have any offset", () => {
  const first = clockOf("UTC");
  assertStrictEquals(clockOf("UTC"), first);
  const offsets = Array.from({ length: 500 }, (_, at) => new Date(at * MINUTE).toISOString());
  for (const offset of offsets) clockOf(`+${offset.slice(11, 16)}`);
  assertNotStrictEquals(clockOf("UTC"), first);
});

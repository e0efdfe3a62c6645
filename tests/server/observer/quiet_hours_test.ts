import { assertEquals } from "@std/assert";
import { endOfQuiet } from "../../../server/observer/routes.ts";

const NIGHT = { from: "22:00", to: "06:00", zone: "Europe/Berlin", holdsCritical: false };

function end(at: string): string | null {
  const ms = endOfQuiet(NIGHT, Date.parse(at));
  return ms === null ? null : new Date(ms).toISOString();
}

Deno.test("endOfQuiet: quiet from the first moment of its hours to the last", () => {
  assertEquals(end("2026-11-21T20:59:59.999Z"), null);
  assertEquals(end("2026-11-21T21:00:00.000Z"), "2026-11-22T05:00:00.000Z");
  assertEquals(end("2026-11-22T04:59:59.999Z"), "2026-11-22T05:00:00.000Z");
  assertEquals(end("2026-11-22T05:00:00.000Z"), null);
});

Deno.test("endOfQuiet: ends by the clocks of its zone when these change in the night", () => {
  assertEquals(end("2026-10-24T21:00:00Z"), "2026-10-25T05:00:00.000Z");
  assertEquals(end("2027-03-27T22:00:00Z"), "2027-03-28T04:00:00.000Z");
});

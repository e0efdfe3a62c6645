import { assertEquals } from "@std/assert";
import { formatMoment, formatWhen } from "../../lib/moments.ts";

Deno.test("formatMoment, formatWhen: as a zone's clocks show it; no date stays as it is", () => {
  const at = "2026-03-29T00:59:59.999Z";
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"];
  assertEquals(zones.map((zone) => formatMoment(at, zone)), [
    ...["2026-03-29 00:59", "2026-03-29 01:59", "2026-03-28 20:59", "2026-03-29 06:44"],
  ]);
  for (const odd of ["yesterday", "", "2026-00-10T10:00:00Z", "2026-01-10T25:00:00Z"]) {
    assertEquals(formatMoment(odd, "Europe/Berlin"), odd);
  }
  // A date that stands for never is written, whatever the zone.
  const never = Date.parse("9999-12-31T23:59:59Z");
  assertEquals(formatWhen(never, 0, "UTC"), "Fri 31 Dec 9999 23:59");
  assertEquals(formatWhen(never, 0, "Europe/Berlin"), "10000-01-01 00:59");
});

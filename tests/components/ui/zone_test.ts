import { assertEquals } from "@std/assert";
import { formatMoment, formatZone } from "../../../components/ui/zone.ts";

Deno.test("formatMoment: writes the same moment as each zone's clocks show it", () => {
  const at = "2026-03-29T00:59:59.999Z";
  assertEquals(formatMoment(at, "UTC"), "2026-03-29 00:59");
  assertEquals(formatMoment(at, "Europe/Berlin"), "2026-03-29 01:59");
  assertEquals(formatMoment(at, "America/New_York"), "2026-03-28 20:59");
  assertEquals(formatMoment(at, "Asia/Kathmandu"), "2026-03-29 06:44");
});

Deno.test("formatMoment: a text that is no date stays as it is", () => {
  assertEquals(formatMoment("yesterday", "UTC"), "yesterday");
  assertEquals(formatMoment("", "Europe/Berlin"), "");
  assertEquals(formatMoment("2026-00-10T10:00:00Z", "UTC"), "2026-00-10T10:00:00Z");
  assertEquals(formatMoment("2026-01-10T25:00:00Z", "UTC"), "2026-01-10T25:00:00Z");
});

Deno.test("formatZone: names the place", () => {
  assertEquals(formatZone("UTC"), "UTC");
  assertEquals(formatZone("America/New_York"), "New York time");
  assertEquals(formatZone("America/Argentina/Buenos_Aires"), "Buenos Aires time");
});

import { assertEquals } from "@std/assert";
import { zonesFor } from "../../../../lib/judgement/plans/zones.ts";

Deno.test("zonesFor: hourly runs of less than a week suggest no other zone", () => {
  const hours = Float64Array.from({ length: 57 }, (_, hour) => Date.UTC(2026, 10, 24, 5 + hour));
  assertEquals(zonesFor(hours).map(({ clock }) => clock.zone), ["UTC"]);
});

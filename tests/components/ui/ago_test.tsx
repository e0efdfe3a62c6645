import { assertEquals } from "@std/assert";
import { formatSpan } from "../../../components/ui/moment.tsx";
import { HOUR } from "../../../lib/time_units.ts";

Deno.test("formatSpan: rounds, with minutes to ten hours, days from two on", () => {
  const spans = [0, 0.0164, 1 / 60, 0.992, 1, 1.717, 9.999, 10 + 1 / 60, 10.4, 47.4, 48, -180];
  assertEquals(
    spans.map((hours) => formatSpan(hours * HOUR)),
    [
      ...["0 s", "59 s", "1 min", "1 h", "1 h", "1 h 43 min", "10 h", "10 h", "10 h", "47 h"],
      ...["2 days", "8 days"],
    ],
  );
});

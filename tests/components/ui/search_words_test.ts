import { assertEquals } from "@std/assert";
import { formatTimes } from "../../../components/ui/search_words.ts";

Deno.test("formatTimes: whole days in the reader's zone, the last included; else exact times", () => {
  const text = (start?: string, end?: string, zone = "UTC") =>
    formatTimes({ field: "x", start, end }, zone);
  assertEquals(text("2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z"), "on 2026-01-31");
  assertEquals(
    text("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
    "from 2026-01-01 to 2026-01-31",
  );
  assertEquals(text("2026-01-01T00:00:00Z"), "from 2026-01-01");
  assertEquals(text(undefined, "2026-02-01T00:00:00Z"), "until 2026-01-31");
  assertEquals(text(), "at any time");
  assertEquals(
    text("2026-01-30T23:00:00Z", "2026-01-31T23:00:00Z", "Europe/Berlin"),
    "on 2026-01-31",
  );
  // There, the clocks went from midnight to one o'clock.
  assertEquals(
    text("2025-03-29T22:00:00Z", "2025-03-30T21:00:00Z", "Asia/Beirut"),
    "on 2025-03-30",
  );
  assertEquals(
    text("2026-01-01T05:30:00Z", "2026-02-01T00:00:00Z"),
    "from 2026-01-01 05:30 and before 2026-02-01 00:00",
  );
  assertEquals(text(undefined, "2026-02-01T05:30:00Z"), "before 2026-02-01 05:30");
});

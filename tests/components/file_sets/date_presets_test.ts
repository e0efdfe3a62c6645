import { assertEquals } from "@std/assert";
import { DATE_PRESETS, presetRange } from "../../../components/file_sets/date_presets.ts";

const NOW = new Date("2026-01-05T23:59:59Z");

Deno.test("presetRange: each preset is a range of whole days in UTC", () => {
  const ranges = Object.keys(DATE_PRESETS).map((preset) => {
    const { start, end } = presetRange(preset, NOW)!;
    return [preset, start, end];
  });
  assertEquals(ranges, [
    ["today", "2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z"],
    ["7-days", "2025-12-30T00:00:00Z", "2026-01-06T00:00:00Z"],
    ["30-days", "2025-12-07T00:00:00Z", "2026-01-06T00:00:00Z"],
    ["month", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"],
    ["last-month", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["year", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
  ]);
});

Deno.test("presetRange: another name is no preset", () => {
  assertEquals(presetRange("fortnight", NOW), undefined);
});

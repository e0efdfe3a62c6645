import { assertEquals } from "@std/assert";
import { DATE_RANGES } from "../../../lib/search/date_ranges.ts";
import { parseSearchQuery } from "../../../lib/search/search_query.ts";

function rangeOf(text: string, now: number) {
  return parseSearchQuery(`created:${text}`, { now }).body.dateFilters![0];
}

Deno.test("parseSearchQuery: every name, at the beginning of a year", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  const days = DATE_RANGES.map((name) => {
    const { start, end, range } = rangeOf(name, now);
    return [range, start!.replace("T00:00:00Z", ""), end!.replace("T00:00:00Z", "")];
  });
  assertEquals(days, [
    ["today", "2026-01-01", "2026-01-02"],
    ["yesterday", "2025-12-31", "2026-01-01"],
    ["last-7-days", "2025-12-26", "2026-01-02"],
    ["last-30-days", "2025-12-03", "2026-01-02"],
    ["this-month", "2026-01-01", "2026-02-01"],
    ["last-month", "2025-12-01", "2026-01-01"],
    ["last-quarter", "2025-10-01", "2026-01-01"],
    ["this-year", "2026-01-01", "2027-01-01"],
    ["last-year", "2025-01-01", "2026-01-01"],
  ]);
});

Deno.test("parseSearchQuery: the last quarter in each month", () => {
  for (let month = 0; month < 12; month++) {
    const { start, end } = rangeOf("last-quarter", Date.UTC(2026, month, 28, 12));
    const quarter = Math.floor(month / 3) * 3;
    const expected = [Date.UTC(2026, quarter - 3), Date.UTC(2026, quarter)];
    assertEquals([start, end].map((each) => Date.parse(each!)), expected);
  }
});

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readDateTime } from "../../lib/date_times.ts";

Deno.test("readDateTime: reads back what Date writes", () => {
  const dates = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(fc.property(dates, (date) => {
    assertEquals(readDateTime(date.toISOString()), { ms: date.getTime() });
  }));
});

Deno.test("readDateTime: takes offsets, small letters, no seconds or many digits of them", () => {
  const cases: Record<string, number> = {
    "2026-01-31T08:00Z": Date.UTC(2026, 0, 31, 8),
    "2026-01-31t08:00:00z": Date.UTC(2026, 0, 31, 8),
    "2026-01-31T10:00:00+02:00": Date.UTC(2026, 0, 31, 8),
    "2026-01-30T22:30:00.000-09:30": Date.UTC(2026, 0, 31, 8),
    "1970-01-01T00:00:00.123999Z": 123,
    "1970-01-01T00:00:00.5Z": 500,
  };
  for (const [text, ms] of Object.entries(cases)) assertEquals(readDateTime(text), { ms }, text);
});

Deno.test("readDateTime: refuses what does not exist, has no zone or is no date-time", () => {
  const days = ["2025-02-29", "2025-13-01", "2025-00-10", "2025-04-31", "2025-04-00"];
  const times = ["24:00:00", "23:60:00", "23:59:60"].map((time) => `2025-01-01T${time}Z`);
  for (const text of [...days.map((day) => `${day}T00:00:00Z`), ...times]) {
    assertEquals(readDateTime(text).issue?.endsWith("not exist"), true, text);
  }
  assertEquals(readDateTime("2024-02-29T00:00:00Z"), { ms: Date.UTC(2024, 1, 29) });
  const { issue } = readDateTime("2025-01-01T00:00:00");
  assertEquals(issue, "needs a zone: Z, or an offset like +02:00");
  const other = ["", "today", "2025-01-01", "2025-1-1T00:00:00Z", "1735689600"];
  for (
    const text of [
      ...other,
      ...["Z ", "+24:00", "+01:60"].map((end) => "2025-01-01T00:00:00" + end),
    ]
  ) {
    assertEquals(readDateTime(text).ms, undefined, text);
  }
});

import { assertEquals } from "@std/assert";
import {
  readSheetTime,
  type SheetTimeOptions,
} from "../../../../server/store/import/sheet_times.ts";

Deno.test("readSheetTime: reads dates and times of spreadsheets, and names what can't be read", () => {
  const read: [cell: string, value: string, SheetTimeOptions?][] = [
    ["28.11.2026 05:00", "2026-11-28T05:00:00.000Z"],
    ["11/28/2026 5:07:09 PM", "2026-11-28T17:07:09.000Z"],
    ["12.12.2026, 12:30 am", "2026-12-12T00:30:00.000Z"],
    ["13-12-2026", "2026-12-13T00:00:00.000Z"],
    ["2026-11-28T05:30:01.5", "2026-11-28T05:30:01.000Z"],
    ["2026-11-28 05:30", "2026-11-28T04:30:00.000Z", { zone: "Europe/Berlin" }],
    ["03.04.2026", "2026-04-03T00:00:00.000Z", { dates: "day-first" }],
    ["03.04.2026", "2026-03-04T00:00:00.000Z", { dates: "month-first" }],
    // Another check reads these, or refuses them.
    ["28.11.2026 105:00", "28.11.2026 105:00"],
    ["128.11.2026", "128.11.2026"],
    ["28.111.2026", "28.111.2026"],
    ["2026-11-28T05:30:00Z", "2026-11-28T05:30:00Z"],
    ["at six", "at six"],
  ];
  for (const [cell, value, options = {}] of read) {
    assertEquals(readSheetTime(cell, options), { value }, cell);
  }
  const missing = "is a date or a time that does not exist";
  const ambiguous = "is ambiguous: say whether dates are day-first or month-first";
  const faulty: [cell: string, fault: string, SheetTimeOptions?][] = [
    ["03.04.2026", ambiguous],
    ["12.11.2026", ambiguous],
    ["31.02.2026", missing],
    ["28.11.2026", missing, { dates: "month-first" }],
    ["28.11.2026 24:00", missing],
    ["28.11.2026 05:60", missing],
  ];
  for (const [cell, fault, options = {}] of faulty) {
    assertEquals(readSheetTime(cell, options), { issue: `${cell} ${fault}` }, cell);
  }
});

import { assertEquals, assertThrows } from "@std/assert";
import { judgeSchedule } from "../../../../lib/judgement/judge_schedule.ts";
import { readCalendar } from "../../../../lib/judgement/plans/calendar.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";

function file(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event) => ["BEGIN:VEVENT", ...event, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

const CHRISTMAS = "DTSTART;VALUE=DATE:20251225";

Deno.test("readCalendar: days, spans, yearly rules, and what other programs write beside them", () => {
  const days = readCalendar(file(
    [CHRISTMAS, "DTEND;VALUE=DATE:20251227", "SUMMARY:Christmas:\r\n  both days", "TRANSP:OPAQUE"],
    [
      "DTSTART:20240229",
      "RRULE:FREQ=YEARLY;COUNT=2",
      "BEGIN:VALARM",
      "DURATION:PT5M",
      "END:VALARM",
    ],
    ["DTSTART:20260501", "RRULE:FREQ=YEARLY;UNTIL=20280501T000000Z;BYMONTH=5;INTERVAL=2"],
    ["DTSTART:20260401", "DURATION:P2D", "RDATE:20260501,20260601", "EXDATE:20260601"],
    ["DTSTART:20260701", "STATUS:CANCELLED"],
    // A line may be cut anywhere.
    ["DTSTART:2028\r\n 0902", "DTEND:20280902"],
  ));
  assertEquals(days, [
    "2024-02-29",
    "2025-12-25",
    "2025-12-26",
    "2026-04-01",
    "2026-04-02",
    "2026-05-01",
    "2026-05-02",
    "2028-02-29",
    "2028-05-01",
    "2028-09-02",
  ]);
});

Deno.test("readCalendar: one sentence says what is wrong and in which line", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["hello", "This is no iCalendar file: it does not begin with BEGIN:VCALENDAR"],
    [file(), "The calendar has no all-day events"],
    [file([CHRISTMAS]).slice(0, 60), "The calendar is cut off: its end is missing"],
    ["x".repeat(50_000_000), "A calendar may have at most 1 MB: take one with fewer years"],
    [
      file([CHRISTMAS, "RRULE:FREQ=YEARLY"]),
      "Line 5 of the calendar: RRULE never ends: add UNTIL or COUNT to it, such as UNTIL=20351231",
    ],
    [
      file([CHRISTMAS, "RRULE:FREQ=DAILY;COUNT=9"]),
      "Line 5 of the calendar: RRULE has FREQ=DAILY: only yearly rules on one date are read; " +
      "list the days instead",
    ],
    [
      file(["DTSTART:20251225T080000Z"]),
      "Line 4 of the calendar: DTSTART must be a whole day from 1970 on, such as 20261225, " +
      "without a time",
    ],
    [
      file([CHRISTMAS, "DTEND:20271225"]),
      "Line 5 of the calendar: DTEND must be within a year of the start",
    ],
    [
      file(["DTSTART:20000101", "DURATION:P366D", "RRULE:FREQ=YEARLY;COUNT=20"]),
      "A calendar may name at most 5000 days",
    ],
    [file(["SUMMARY:x"]), "An event of the calendar has no start (DTSTART)"],
  ];
  for (const [text, message] of cases) {
    const error = assertThrows(() => readCalendar(text), RangeError);
    assertEquals(error.message, message);
  }
});

Deno.test("judgeSchedule: with a calendar, a planned run on such a day is neither missed nor overdue in the plan's zone", () => {
  const zone = "Pacific/Auckland";
  const day = 86_400_000;
  // At 08:00 in Auckland it is still the day before in UTC.
  const first = Date.UTC(2026, 4, 31, 20);
  const runs = Array.from({ length: 20 }, (_, at) => ({
    id: at,
    status: "success",
    startTime: new Date(first + at * day).toISOString(),
    endTime: new Date(first + at * day + 60_000).toISOString(),
  })).filter(({ id }) => id !== 9 && id !== 19);
  const judged = (...calendar: string[]) =>
    judgeSchedule({ runs }, {
      now: first + 19 * day + 3_600_000,
      statuses: defaultStatusDictionary(),
      plan: { cron: ["0 8 * * *"], zone, graceMs: 300_000, since: 0 },
      calendar,
    }).schedule!;
  assertEquals(judged().counts, { missed: 1, overdue: 1 });
  assertEquals(judged("2026-06-10", "2026-06-20").counts, { missed: 0, overdue: 0 });
  assertEquals(judged("2026-06-09", "2026-06-19").counts, { missed: 1, overdue: 1 });
  // The next run is that of the day after.
  assertEquals(judged("2026-06-21", "2026-06-22").next, judged().next! + 2 * day);
});

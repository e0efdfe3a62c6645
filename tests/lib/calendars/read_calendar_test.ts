import { assertEquals, assertThrows } from "@std/assert";
import { readCalendar } from "../../../lib/calendars/read_calendar.ts";

const NOW = Date.UTC(2026, 5, 1);

/** A calendar of events, each with its lines between slashes. */
function file(...events: readonly string[]): string {
  const lines = events.flatMap((event) => ["BEGIN:VEVENT", ...event.split(" / "), "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

const CHRISTMAS = "DTSTART;VALUE=DATE:20251225";

Deno.test("readCalendar: days, spans, rules, and what other programs write beside them", () => {
  const { days, skipped } = readCalendar(
    file(
      `${CHRISTMAS} / DTEND;VALUE=DATE:20251227 / SUMMARY:Christmas:\r\n  both days`,
      "DTSTART:20240228 / RRULE:FREQ=YEARLY;COUNT=2 / BEGIN:VALARM / DURATION:PT5M / END:VALARM",
      "DTSTART:20260501 / RRULE:FREQ=YEARLY;UNTIL=20280501T000000Z;BYMONTH=5;INTERVAL=2",
      "DTSTART:20260401 / DURATION:P2D / RDATE:20260501,20260601 / EXDATE:20260601",
      "DTSTART:20260701 / STATUS:CANCELLED",
      // A line may be cut anywhere.
      "DTSTART;VALUE=DATE:2028\r\n 0902 / DTEND;VALUE=DATE:20280902",
      "DTSTART;VALUE=DATE:20260907 / RRULE:FREQ=YEARLY;BYMONTH=9;BYDAY=1MO;COUNT=2",
    ),
    NOW,
  );
  assertEquals(
    days.join(" "),
    "2024-02-28 2025-02-28 2025-12-25 2025-12-26 2026-04-01 2026-04-02 2026-05-01 2026-05-02 " +
      "2026-09-07 2027-09-06 2028-05-01 2028-09-02",
  );
  assertEquals(skipped, 0);
});

Deno.test("readCalendar: Outlook's events from midnight to midnight in a zone are whole days", () => {
  const zone = "TZID=W. Europe Standard Time";
  const timezone = "METHOD:PUBLISH / BEGIN:VTIMEZONE / TZID:W. Europe Standard Time / " +
    "BEGIN:STANDARD / DTSTART:16010101T030000 / TZOFFSETFROM:+0200 / TZOFFSETTO:+0100 / " +
    "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10 / END:STANDARD / END:VTIMEZONE";
  const text = file(
    `UID:1 / DTSTART;${zone}:20261225T000000 / DTEND;${zone}:20261226T000000 / ` +
      "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE / SUMMARY;LANGUAGE=de:Weihnachten",
    `UID:2 / DTSTART;${zone}:20260101T000000 / DURATION:P1D / RRULE:FREQ=YEARLY;COUNT=2`,
  ).replace("VERSION:2.0", `VERSION:2.0\r\n${timezone.replaceAll(" / ", "\r\n")}`);
  const days = ["2026-01-01", "2026-12-25", "2027-01-01"];
  assertEquals(readCalendar(text, NOW), { days, skipped: 0 });
});

Deno.test("readCalendar: events with times or on no day are skipped and counted", () => {
  const quoted = 'TZID="W. Europe Standard Time"';
  const text = file(
    "UID:1 / DTSTART;VALUE=DATE:20261225 / SUMMARY:Xmas",
    `UID:2 / DTSTART;${quoted}:20261224T220000 / DTEND;${quoted}:20261225T060000`,
    "UID:3 / DTSTART:20261224T080000Z / DTEND:20261224T180000Z / RRULE:FREQ=SECONDLY",
    "UID:4 / SUMMARY:It has no start",
    "UID:5 / DTSTART;VALUE=DATE:20261399",
    "UID:6 / DTSTART;VALUE=DATE:20261226 / DTEND;VALUE=DATE:20301226",
    "UID:7 / DTSTART;TZID=UTC:20261226T000000 / DTEND;TZID=UTC:20261226T120000",
  );
  assertEquals(readCalendar(text, NOW), { days: ["2026-12-25"], skipped: 6 });
});

Deno.test("readCalendar: a rule without an end counts to two years ahead", () => {
  const { days } = readCalendar(file(`${CHRISTMAS} / RRULE:FREQ=YEARLY`), NOW);
  assertEquals(days, ["2025-12-25", "2026-12-25", "2027-12-25"]);
  const weekly = file("DTSTART;VALUE=DATE:20260605 / RRULE:FREQ=WEEKLY;BYDAY=FR");
  assertEquals(readCalendar(weekly, NOW).days.at(-1), "2028-05-26");
});

Deno.test("readCalendar: an occurrence that was moved or cancelled is not on its old day", () => {
  const text = file(
    "UID:1 / DTSTART;VALUE=DATE:20250501 / RRULE:FREQ=YEARLY;COUNT=4",
    "UID:1 / RECURRENCE-ID;VALUE=DATE:20260501 / DTSTART;VALUE=DATE:20260504",
    "UID:1 / RECURRENCE-ID;VALUE=DATE:20270501 / DTSTART;VALUE=DATE:20270501 / STATUS:CANCELLED",
    // The file lacks the event that this one belongs to.
    "UID:2 / RECURRENCE-ID;VALUE=DATE:20290501 / DTSTART;VALUE=DATE:20290502",
  );
  const days = ["2025-05-01", "2026-05-04", "2028-05-01", "2029-05-02"];
  assertEquals(readCalendar(text, NOW), { days, skipped: 0 });
});

Deno.test("readCalendar: one sentence says what is wrong with a file", () => {
  const tooMany = "A calendar may name at most 5000 days";
  const cases: readonly (readonly [string, string])[] = [
    ["hello", "This is no iCalendar file: it does not begin with BEGIN:VCALENDAR"],
    [file(), "The calendar has no all-day events"],
    [
      file("DTSTART:20251225T080000Z"),
      "The calendar has no all-day events: its events (1) have times, or can't be read",
    ],
    [
      file(CHRISTMAS).slice(0, 69),
      "The calendar can't be read: invalid ical body. component began but did not end",
    ],
    ["x".repeat(50_000_000), "A calendar may have at most 1 MB: take one with fewer years"],
    [file("DTSTART:20000101 / DURATION:P366D / RRULE:FREQ=YEARLY;COUNT=20"), tooMany],
    [file("DTSTART:19700101 / RRULE:FREQ=DAILY"), tooMany],
  ];
  for (const [text, message] of cases) {
    const error = assertThrows(() => readCalendar(text, NOW), RangeError);
    assertEquals(error.message, message);
  }
});

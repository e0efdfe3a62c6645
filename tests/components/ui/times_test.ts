import { assertEquals } from "@std/assert";
import { h } from "preact";
import { formatSpan, NoteWords } from "../../../components/ui/moment.tsx";
import { HOUR } from "../../../lib/time_units.ts";
import { htmlOf, shownAt } from "../rendered.ts";

Deno.test("formatSpan: counts what has passed, with minutes to ten hours, days from two on", () => {
  const spans = [0, 0.0164, 1 / 60, 0.992, 1, 1.717, 9.999, 10.9, 47.9, 48, 7.8 * 24, -180];
  assertEquals(
    spans.map((hours) => formatSpan(hours * HOUR)),
    [
      ...["0 s", "59 s", "1 min", "59 min", "1 h", "1 h 43 min", "9 h 59 min", "10 h", "47 h"],
      ...["2 days", "7 days", "7 days"],
    ],
  );
});

Deno.test("NoteWords: shows times in the reader's zone, and leaves what is no time", () => {
  const note = "until 2026-03-10T06:00Z, see 2026-13-45T25:61Z";
  const shown = shownAt(Date.UTC(2026, 2, 10), h("p", null, h(NoteWords, { note })));
  assertEquals(htmlOf(shown, "Europe/Berlin"), "<p>until today 07:00, see 2026-13-45T25:61Z</p>");
});

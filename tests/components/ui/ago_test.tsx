import { assertEquals } from "@std/assert";
import { Ago, Day, formatSpan, When } from "../../../components/ui/moment.tsx";
import { HOUR } from "../../../lib/time_units.ts";
import { htmlOf, textOf } from "../rendered.ts";

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

Deno.test("When: shows the reader's day and time, and how far away it is", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const words = (at: string, zone = "UTC") =>
    textOf(htmlOf(<When at={Date.parse(at)} now={now} hasDistance />, zone));
  assertEquals(words("2026-11-22T13:43:00Z"), "today 13:43, in 1 h 43 min");
  assertEquals(words("2026-11-22T23:30:00Z", "Europe/Berlin"), "tomorrow 00:30, in 12 h");
  assertEquals(words("2026-11-21T05:00:00Z"), "yesterday 05:00, 31 h ago");
  assertEquals(words("2026-11-15T05:30:00Z"), "Sun 15 Nov 05:30, 7 days ago");
  assertEquals(words("2025-11-15T05:30:00Z"), "Sat 15 Nov 2025 05:30, 372 days ago");
});

Deno.test("Ago, Day: show relative times, and exact ones in the reader's zone on hover", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const at = Date.parse("2026-11-14T23:30:00Z");
  const zone = "Europe/Berlin";
  assertEquals(
    htmlOf(<Ago at={at} now={now} />, zone),
    '<time datetime="2026-11-14T23:30:00.000Z" title="2026-11-15 00:30 Berlin time">' +
      "8 days ago</time>",
  );
  assertEquals(textOf(htmlOf(<Day at={at} now={now} />, zone)), "15 Nov");
  assertEquals(textOf(htmlOf(<Day at={at} now={now} />)), "14 Nov");
  assertEquals(textOf(htmlOf(<Day at={at - 8760 * HOUR} now={now} />)), "14 Nov 2025");
});

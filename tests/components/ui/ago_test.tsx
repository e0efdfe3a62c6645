import { assertEquals } from "@std/assert";
import { Ago, Day, formatAgo, formatSpan } from "../../../components/ui/ago.tsx";
import { htmlOf, textOf } from "../rendered.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

Deno.test("formatSpan: rounds down to the largest unit; days from two on", () => {
  assertEquals(
    [0, 59 * SECOND, 60 * SECOND, HOUR - 1, HOUR, 48 * HOUR - 1, 48 * HOUR, -200 * HOUR]
      .map(formatSpan),
    ["0 s", "59 s", "1 min", "59 min", "1 h", "47 h", "2 days", "8 days"],
  );
});

Deno.test("formatAgo: says whether a time is past or to come", () => {
  assertEquals([formatAgo(0, HOUR), formatAgo(HOUR, 0)], ["1 h ago", "in 1 h"]);
});

Deno.test("Ago and Day: relative to read, exact in the reader's zone on hover", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const at = Date.parse("2026-11-14T23:30:00Z");
  const zone = "Europe/Berlin";
  assertEquals(
    htmlOf(<Ago at={at} now={now} />, zone),
    '<time datetime="2026-11-14T23:30:00.000Z" title="2026-11-15 00:30 Berlin time">' +
      "7 days ago</time>",
  );
  assertEquals(textOf(htmlOf(<Day at={at} now={now} />, zone)), "15 Nov");
  assertEquals(textOf(htmlOf(<Day at={at} now={now} />)), "14 Nov");
  assertEquals(textOf(htmlOf(<Day at={at - 8760 * HOUR} now={now} />)), "14 Nov 2025");
});

import { assertEquals } from "@std/assert";
import { LoneMoment, MISSING, Moment, ZoneName } from "../../../components/ui/moment.tsx";
import { htmlOf, textOf } from "../rendered.ts";

Deno.test("Moment: shows the zone's time, and the exact one to machines and on hover", () => {
  assertEquals(
    htmlOf(<Moment at="2026-01-31T05:30:15.000Z" />, "America/New_York"),
    '<time datetime="2026-01-31T05:30:15Z" title="2026-01-31T05:30:15Z">2026-01-31 00:30</time>',
  );
  assertEquals(textOf(htmlOf(<Moment at={null} />)), "none");
  assertEquals(textOf(htmlOf(<Moment at="soon" />)), "soon");
});

Deno.test("LoneMoment, ZoneName: name the zone in plain words", () => {
  const at = "2026-01-31T05:30:15Z";
  assertEquals(textOf(htmlOf(<LoneMoment at={at} />)), "2026-01-31 05:30 UTC");
  assertEquals(textOf(htmlOf(<LoneMoment at={at} />, "Asia/Tokyo")), "2026-01-31 14:30 Tokyo time");
  assertEquals(textOf(htmlOf(<LoneMoment at="" />)), "none");
  assertEquals(textOf(htmlOf(<ZoneName />, "America/New_York")), "New York time");
});

Deno.test("MISSING: shows a dash, and a word to screen readers", () => {
  assertEquals(textOf(htmlOf(MISSING)), "none");
  assertEquals(htmlOf(MISSING).includes('<span aria-hidden="true">–</span>'), true);
});

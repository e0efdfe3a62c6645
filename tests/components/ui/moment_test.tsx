import { assertEquals } from "@std/assert";
import {
  LoneMoment,
  Missing,
  Moment,
  RelativeMoment,
  ZoneName,
} from "../../../components/ui/moment.tsx";
import { htmlOf, textOf } from "../rendered.ts";

Deno.test("Moment: the zone's time, exact for machines and on hover", () => {
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

Deno.test("Missing: a dash to see, and a word to hear", () => {
  assertEquals(textOf(htmlOf(<Missing />)), "none");
  assertEquals(htmlOf(<Missing />).includes('<span aria-hidden="true">–</span>'), true);
});

Deno.test("RelativeMoment: relative to read, exact for machines and on hover", () => {
  const at = Date.UTC(2026, 2, 10, 6);
  const html = htmlOf(<RelativeMoment at={at} now={at + 7_200_000} />, "Europe/Berlin");
  assertEquals(
    html,
    '<time datetime="2026-03-10T06:00:00.000Z" title="2026-03-10 07:00 Berlin time">2 h ago</time>',
  );
});

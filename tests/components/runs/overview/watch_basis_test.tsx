import { assertEquals } from "@std/assert";
import { WatchBasis } from "../../../../components/runs/overview/watch_basis.tsx";
import { htmlOf, textOf } from "../../rendered.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-01-05T06:00:00Z");

Deno.test("WatchBasis: how old the stored verdicts are, and how many the page made itself", () => {
  const words = (oldest: number | null, own: number) =>
    textOf(htmlOf(<WatchBasis oldest={oldest} own={own} now={NOW} />));
  assertEquals(words(null, 0), "");
  const stored = "Verdicts are from the last looks, the oldest 2 h ago.";
  assertEquals(words(NOW - 2 * HOUR, 0), stored);
  const why = "itself: it read other runs than the last look or uses other status meanings, or " +
    "the stored verdict no longer holds.";
  assertEquals(words(NOW - 2 * HOUR, 1), `${stored} This page judged 1 schedule ${why}`);
});

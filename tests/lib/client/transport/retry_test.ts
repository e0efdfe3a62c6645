import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseRetryAfter, waitMs } from "../../../../lib/client/transport/retry.ts";

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);

Deno.test("parseRetryAfter: seconds, decimals and zero become milliseconds", () => {
  assertEquals(parseRetryAfter("120", NOW), 120_000);
  assertEquals(parseRetryAfter(" 7 ", NOW), 7000);
  assertEquals(parseRetryAfter("1.5", NOW), 1500);
  assertEquals(parseRetryAfter("0", NOW), 0);
});

Deno.test("parseRetryAfter: the three date forms of HTTP mean the same moment", () => {
  assertEquals(parseRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", NOW), 37_000);
  assertEquals(parseRetryAfter("Sunday, 06-Nov-94 08:49:37 GMT", NOW), 37_000);
  assertEquals(parseRetryAfter("Sun Nov  6 08:49:37 1994", NOW), 37_000);
});

Deno.test("parseRetryAfter: two digits of a year mean this century up to 49", () => {
  const now = Date.UTC(2026, 10, 6, 8, 49, 0);
  assertEquals(parseRetryAfter("Friday, 06-Nov-26 08:49:37 GMT", now), 37_000);
  assert(parseRetryAfter("Saturday, 06-Nov-49 08:49:37 GMT", now)! > 37_000);
  assertEquals(parseRetryAfter("Sunday, 06-Nov-94 08:49:37 GMT", now), 0);
});

Deno.test("parseRetryAfter: a moment that has passed is no wait", () => {
  assertEquals(parseRetryAfter("Sun, 06 Nov 1994 08:48:00 GMT", NOW), 0);
});

Deno.test("parseRetryAfter: a wait of days is not shortened", () => {
  assertEquals(parseRetryAfter("2592000", NOW), 2_592_000_000);
  assertEquals(parseRetryAfter("Tue, 06 Dec 1994 08:49:00 GMT", NOW), 30 * 86_400_000);
});

Deno.test("parseRetryAfter: junk says nothing", () => {
  const junk = [
    null,
    "",
    "  ",
    "soon",
    "-5",
    "1e3",
    "0x10",
    "Infinity",
    "NaN",
    "120, 60",
    "1.",
    ".5",
    "9".repeat(400),
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 anF 1994 08:49:37 GMT",
    "1994-11-06T08:49:37Z",
    "Sun, 06 Nov 1994 08:49:37",
  ];
  for (const value of junk) assertEquals(parseRetryAfter(value, NOW), undefined, String(value));
});

Deno.test("parseRetryAfter: no text gives a wait that is negative or no number", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
    const ms = parseRetryAfter(text, NOW);
    assert(ms === undefined || (Number.isFinite(ms) && ms >= 0));
  }));
});

Deno.test("waitMs: jitter reaches from nothing to a bound that doubles up to 20 s", () => {
  const almostOne = 1 - Number.EPSILON;
  assertEquals(waitMs(1, 0), 0);
  assertEquals([1, 2, 3, 4].map((attempt) => waitMs(attempt, almostOne)), [499, 999, 1999, 3999]);
  assertEquals(waitMs(10, almostOne), 19_999);
  assertEquals(waitMs(5000, almostOne), 19_999);
});

Deno.test("waitMs: what the service asks for wins, and zero keeps the backoff", () => {
  assertEquals(waitMs(1, 0.5, 30_000), 30_000);
  assertEquals(waitMs(1, 0.5, 0.4), 1);
  assertEquals(waitMs(1, 0.5, 0), 250);
  assertEquals(waitMs(1, 0.5), 250);
});

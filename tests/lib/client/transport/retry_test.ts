import { assertEquals, assertRejects } from "@std/assert";
import { parseRetryAfter, waitMs } from "../../../../lib/client/transport/retry.ts";
import { systemRuntime } from "../../../../lib/client/transport/runtime.ts";

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);

Deno.test("parseRetryAfter: seconds and the three date forms of HTTP; junk says nothing", () => {
  const cases: readonly (readonly [value: string, ms: number])[] = [
    ["120", 120_000],
    [" 7 ", 7000],
    ["1.5", 1500],
    ["0", 0],
    ["2592000", 2_592_000_000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
    ["Sun Nov  6 08:49:37 1994", 37_000],
    ["Sun, 06 Nov 1994 08:48:00 GMT", 0],
    ["Tue, 06 Dec 1994 08:49:00 GMT", 30 * 86_400_000],
    // Two digits of a year mean this century up to 49.
    ["Saturday, 06-Nov-49 08:49:00 GMT", Date.UTC(2049, 10, 6) - Date.UTC(1994, 10, 6)],
    ["Sunday, 06-Nov-50 08:49:37 GMT", 0],
  ];
  for (const [value, ms] of cases) assertEquals(parseRetryAfter(value, NOW), ms, value);
  const junk = [
    null,
    "",
    "soon",
    "-5",
    "1e3",
    "120, 60",
    "1.",
    "9".repeat(400),
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 anF 1994 08:49:37 GMT",
    "1994-11-06T08:49:37Z",
    "Sun, 06 Nov 1994 08:49:37",
  ];
  for (const value of junk) assertEquals(parseRetryAfter(value, NOW), undefined, String(value));
});

Deno.test("waitMs: jitter up to a bound that doubles, unless the service asks for a time", () => {
  const almostOne = 1 - Number.EPSILON;
  assertEquals(waitMs(1, 0), 0);
  assertEquals([1, 2, 3, 4].map((attempt) => waitMs(attempt, almostOne)), [499, 999, 1999, 3999]);
  assertEquals(waitMs(10, almostOne), 19_999);
  assertEquals(waitMs(5000, almostOne), 19_999);
  // What the service asks for wins, and zero keeps the backoff.
  assertEquals(waitMs(1, 0.5, 30_000), 30_000);
  assertEquals(waitMs(1, 0.5, 0.4), 1);
  assertEquals(waitMs(1, 0.5, 0), 250);
  assertEquals(waitMs(1, 0.5), 250);
});

Deno.test("systemRuntime: a wait longer than a timer takes is made of several", async () => {
  const { setTimeout } = globalThis;
  const delays: unknown[] = [];
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    delays.push(ms);
    return setTimeout(callback, 0);
  }) as typeof setTimeout;
  try {
    await systemRuntime().sleep(2 ** 32);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assertEquals(delays, [2 ** 31 - 1, 2 ** 31 - 1, 2]);
});

Deno.test("systemRuntime: sleep rejects at once on a signal that aborted", async () => {
  const signal = AbortSignal.abort(new Error("before"));
  await assertRejects(() => systemRuntime().sleep(1000, signal), Error, "before");
});

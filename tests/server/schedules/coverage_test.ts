import { assertEquals } from "@std/assert";
import { formatDay } from "../../../lib/moments.ts";
import {
  coverageText,
  describeProgress,
  describeScan,
  idRanges,
} from "../../../server/schedules/coverage.ts";

Deno.test("idRanges: neighbours as a range, a single id alone, and that more are left out", () => {
  assertEquals(idRanges([]), "");
  assertEquals(idRanges([7]), "7");
  assertEquals(idRanges([1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8");
  const even = Array.from({ length: 21 }, (_, at) => 2 * at);
  assertEquals(idRanges(even).split(", ").slice(19), ["38", "and more"]);
  assertEquals(idRanges(even.slice(1)).split(", ").at(-1), "40");
});

Deno.test("describeScan: counts each kind of answer that there was, and says how far it is", () => {
  const ended = Date.parse("2026-01-05T06:00:00Z");
  const answers = { exists: 2, "never-ran": 0, missing: 8, forbidden: 0, failed: 0 };
  const scan = { from: 1, to: 10, next: 11, started: ended, ended, answers, answersEmpty: false };
  const said = (more: object = {}) =>
    describeScan({ ...scan, ...more } as Parameters<typeof describeScan>[0], "UTC");
  const today = new Date().toISOString();
  const range = `ids 1 to 10 scanned on ${formatDay("2026-01-05", today)}`;
  assertEquals(said(), `${range}: 2 have runs, 8 don't exist`);
  assertEquals(said({ next: 5 }), `${range}, up to 4 so far: 2 have runs, 8 don't exist`);
  const none = { ...answers, exists: 0, missing: 0 };
  assertEquals(said({ next: 1, answers: none }), `${range}, none so far`);
});

Deno.test("describeProgress: the time left is at least that of the rate", () => {
  const scan = { from: 1, to: 1000, next: 11, rate: 2 } as Parameters<typeof describeProgress>[0];
  assertEquals(describeProgress(scan), "10 of 1,000 ids scanned, at least 8 min 15 s left");
});

Deno.test("coverageText: says which part of a scan shows nothing of who received what", async () => {
  const answers = { exists: 2, "never-ran": 1, missing: 0, forbidden: 4, failed: 1 };
  const scan = { from: 1, to: 10, next: 11, started: 0, ended: 0, answers };
  const scans = { counted: () => Promise.resolve([scan]) };
  const said = (known: number, unread = 0, failing = 0, uncounted = 0) => {
    const people = { countUnread: () => Promise.resolve({ unread, failing, uncounted }) };
    const watches = { countKnown: () => Promise.resolve(known) };
    return coverageText({ scans, people, watches } as never, "UTC");
  };
  const range = "ids 1 to 10 scanned on 1 Jan 1970, 4 not allowed, 1 not answered";
  assertEquals(await said(3), `3 schedules known; ${range}`);
  assertEquals(await said(0), `No schedules were added; ${range}`);
  const missing = "1 not read to the end yet; 2 can't be read; 3 still being counted";
  assertEquals(await said(9, 1, 2, 3), `9 schedules known; ${range}; ${missing}`);
});

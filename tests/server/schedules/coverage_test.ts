import { assertEquals } from "@std/assert";
import { coverageText } from "../../../server/schedules/coverage.ts";

const NO_ANSWERS = { exists: 0, "never-ran": 0, missing: 0, forbidden: 0, failed: 0 };
const SCAN = { from: 1, to: 1000, next: 1001, rate: 2, started: 0, answers: NO_ANSWERS };

Deno.test("coverageText: says which part of a scan shows nothing of who received what", async () => {
  const scan = { ...SCAN, answers: { ...NO_ANSWERS, forbidden: 4, failed: 1 } };
  const none = { unread: 0, failing: 0, uncounted: 0, unlisted: 0 };
  const said = (known: number, counts = none) =>
    coverageText({
      scans: { counted: () => Promise.resolve([scan]) },
      people: { countUnread: () => Promise.resolve(counts) },
      watches: { countKnown: () => Promise.resolve(known) },
    } as never, "UTC");
  const range = "ids 1 to 1,000 scanned on 1 Jan 1970, 4 not allowed, 1 not answered";
  assertEquals(await said(3), `3 schedules known; ${range}`);
  assertEquals(await said(0), `No schedules were added; ${range}`);
  const missing =
    "1 not read to the end yet; 2 can't be read; 3 still being counted; 4 list no recipients";
  const counts = { unread: 1, failing: 2, uncounted: 3, unlisted: 4 };
  assertEquals(await said(9, counts), `9 schedules known; ${range}; ${missing}`);
});

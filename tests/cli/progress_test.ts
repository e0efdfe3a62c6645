import { assertEquals } from "@std/assert";
import { createProgress, progressWords } from "../../cli/progress.ts";
import type { RetryInfo, WalkReport } from "../../lib/mod.ts";

const TIME = { seconds: 3, itemsBefore: 4, waitSeconds: 0 };

Deno.test("progressWords: page, rows, rate and time left", () => {
  assertEquals(
    progressWords({ pages: 2, items: 1204, total: 5000 }, TIME),
    "page 3, 1,204 of 5,000 rows, 400/s, 10 s left",
  );
  assertEquals(progressWords({ pages: 2, items: 1204 }, TIME), "page 3, 1,204 rows, 400/s");
  assertEquals(
    progressWords({ pages: 0, items: 0 }, { ...TIME, seconds: 0, itemsBefore: 0 }),
    "page 1, 0 rows",
  );
});

Deno.test("progressWords: what is waited for, in place of the time left", () => {
  assertEquals(
    progressWords({ pages: 2, items: 1204, total: 5000 }, { ...TIME, waitSeconds: 11.2 }),
    "page 3, 1,204 of 5,000 rows, 400/s, waiting 12 s for the service",
  );
});

Deno.test("createProgress: shown from the first tick on, also while the client waits", async () => {
  let err = "";
  let now = 0;
  let tick = () => {};
  const progress = createProgress({
    err: { isTerminal: true, write: (text) => Promise.resolve(void (err += text)) },
    now: () => now,
    every: (_ms, callback) => {
      tick = callback;
      return () => tick = () => {};
    },
  });
  const report = { pages: 0, items: 0 } as WalkReport;
  progress.start(() => report);
  now = 1000;
  progress.onRetry({ waitMs: 12_000 } as RetryInfo);
  tick();
  assertEquals(err, "\rpage 1, 0 rows, waiting 12 s for the service\x1b[K");
  await progress.stop();
  assertEquals(err.endsWith("\r\x1b[K"), true);
  tick();
  assertEquals(err.endsWith("\r\x1b[K"), true, "it goes on after the end");
});

import { assertEquals } from "@std/assert";
import { createProgress, describeWalk } from "../../cli/progress.ts";

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
  progress.start(() => describeWalk({ pages: 2, items: 1204, total: 5000 }));
  now = 1000;
  progress.waitsUntil(13_000);
  tick();
  assertEquals(err, "\rpage 3, 1,204 of 5,000 rows, waiting 12 s for the service\x1b[K");
  now = 13_000;
  tick();
  assertEquals(err.endsWith("rows\x1b[K"), true, "it does not wait any more");
  await progress.stop();
  assertEquals(err.endsWith("\r\x1b[K"), true);
  tick();
  assertEquals(err.endsWith("\r\x1b[K"), true, "it goes on after the end");
});

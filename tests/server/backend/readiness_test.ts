import { assertEquals } from "@std/assert";
import { createLog } from "../../../server/log/log.ts";
import { createReadiness } from "../../../server/backend/readiness.ts";

/** A backend that can be switched off, its log, and a clock. */
function setUp() {
  const lines: string[] = [];
  const backend = { requests: 0, isAway: false, time: 0 };
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const readiness = createReadiness(
    () => {
      backend.requests++;
      return backend.isAway ? Promise.reject(new Error("refused")) : Promise.resolve();
    },
    { log, cachedMs: 5000, now: () => backend.time },
  );
  const logged = () => lines.map((line) => JSON.parse(line).message);
  return { backend, readiness, logged, log };
}

Deno.test("createReadiness: one check for all, repeated after a while, which logs each change once", async () => {
  const { backend, readiness, logged } = setUp();
  backend.time = 10_000;
  assertEquals(await Promise.all([readiness.isReady(), readiness.isReady()]), [true, true]);
  backend.time = 14_999;
  await readiness.isReady();
  assertEquals(backend.requests, 1);
  const answers: boolean[] = [];
  for (const isAway of [false, true, true, false, false]) {
    backend.isAway = isAway;
    backend.time += 5000;
    answers.push(await readiness.isReady());
  }
  assertEquals([answers, backend.requests], [[true, false, false, true, true], 6]);
  assertEquals(logged(), ["The backend cannot be reached", "The backend can be reached again"]);
  // Once the program ends, it is not ready.
  readiness.end();
  assertEquals(await readiness.isReady(), false);
});

Deno.test("createReadiness: a backend that never answers is not ready, and its check is aborted", async () => {
  const { log } = setUp();
  let stopped = false;
  const silent = (signal: AbortSignal) =>
    new Promise<void>(() => signal.addEventListener("abort", () => stopped = true));
  const { isReady } = createReadiness(silent, { log, timeoutMs: 1 });
  assertEquals(await isReady(), false);
  assertEquals(stopped, true);
});

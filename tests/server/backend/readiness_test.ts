import { assertEquals } from "@std/assert";
import { createLog } from "../../../server/log/log.ts";
import { createReadiness } from "../../../server/backend/readiness.ts";

const lines: string[] = [];
const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });

Deno.test("createReadiness: one check for all, repeated after a while, which logs each change once", async () => {
  const backend = { requests: 0, isAway: false, time: 0 };
  const reach =
    () => (backend.requests++, backend.isAway ? Promise.reject(Error()) : Promise.resolve());
  const { isReady, end } = createReadiness(reach, { log, cachedMs: 5000, now: () => backend.time });
  assertEquals(await Promise.all([isReady(), isReady()]), [true, true]);
  for (const isAway of [false, true, true, false, false]) {
    backend.time += 4999;
    await isReady();
    Object.assign(backend, { isAway, time: backend.time + 1 });
    assertEquals(await isReady(), !isAway);
  }
  assertEquals(backend.requests, 6);
  const logged = lines.map((line) => JSON.parse(line).message);
  assertEquals(logged, ["The backend cannot be reached", "The backend can be reached again"]);
  // Once the program ends, it is not ready.
  end();
  assertEquals(await isReady(), false);
});

Deno.test("createReadiness: a backend that never answers is not ready, and its check is aborted", async () => {
  let isStopped = false;
  const silent = (signal: AbortSignal) =>
    new Promise<void>(() => signal.addEventListener("abort", () => isStopped = true));
  assertEquals(await createReadiness(silent, { log, timeoutMs: 1 }).isReady(), false);
  assertEquals(isStopped, true);
});

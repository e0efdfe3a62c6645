import { assertEquals } from "@std/assert";
import { createLog } from "../../../server/log/log.ts";
import { createReadiness } from "../../../server/backend/readiness.ts";

const lines: string[] = [];
const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });

Deno.test("createReadiness: one check for all, repeated after a while, which logs each change once", async () => {
  lines.length = 0;
  const backend = { asked: 0, isAway: false, time: 10_000 };
  const reach = () => {
    backend.asked++;
    return backend.isAway ? Promise.reject(new Error("refused")) : Promise.resolve();
  };
  const readiness = createReadiness(reach, { log, cachedMs: 5000, now: () => backend.time });
  assertEquals(await Promise.all([readiness.isReady(), readiness.isReady()]), [true, true]);
  backend.time = 14_999;
  await readiness.isReady();
  assertEquals(backend.asked, 1);
  const answers: boolean[] = [];
  for (const isAway of [false, true, true, false, false]) {
    backend.isAway = isAway;
    backend.time += 5000;
    answers.push(await readiness.isReady());
  }
  assertEquals([answers, backend.asked], [[true, false, false, true, true], 6]);
  const logged = lines.map((line) => JSON.parse(line).message);
  assertEquals(logged, ["The backend cannot be reached", "The backend can be reached again"]);
  // Once the program ends, it is not ready.
  readiness.end();
  assertEquals(await readiness.isReady(), false);
});

Deno.test("createReadiness: a backend that never answers is not ready, and its check is aborted", async () => {
  let stopped = false;
  const silent = (signal: AbortSignal) =>
    new Promise<void>(() => signal.addEventListener("abort", () => stopped = true));
  const { isReady } = createReadiness(silent, { log, timeoutMs: 1 });
  assertEquals([await isReady(), stopped], [false, true]);
});

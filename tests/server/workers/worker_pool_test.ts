import { assertEquals, assertRejects } from "@std/assert";
import { createWorkerPool, type PoolFailure } from "../../../server/workers/worker_pool.ts";

/** A worker that echoes numbers, is busy for ever with "endless", and crashes at "crash". */
const SOURCE = `
  self.onmessage = ({ data }) => {
    if (data === "crash") throw new Error("Broken");
    while (data === "endless");
    self.postMessage(data);
  };
`;

function poolOf(max: number) {
  const started: Worker[] = [];
  const pool = createWorkerPool<number | string, number | string>({
    max,
    start() {
      const url = URL.createObjectURL(new Blob([SOURCE], { type: "text/javascript" }));
      const worker = new Worker(url, { type: "module" });
      started.push(worker);
      return worker;
    },
    errorOf: (failure: PoolFailure, message = "") => new Error(`${failure} ${message}`),
  });
  return { pool, started };
}

const SOON = { ms: 60_000 };

Deno.test("createWorkerPool: starts no more workers than are needed and allowed", async () => {
  const { pool, started } = poolOf(2);
  await pool.ask(1, SOON);
  await pool.ask(2, SOON);
  assertEquals(started.length, 1);
  assertEquals(await Promise.all([1, 2, 3].map((n) => pool.ask(n, SOON))), [1, 2, 3]);
  assertEquals(started.length, 2);
  await pool.close();
});

Deno.test("createWorkerPool: a question that waited for most of its time is not late", async () => {
  const { pool, started } = poolOf(1);
  // Starting a worker takes long on a busy machine, and would put the last question's time off.
  await pool.ask(1, SOON);
  const questions = [["endless", 900, "late"], [1, 100, "busy"], ["endless", 999, "busy"]] as const;
  await Promise.all(
    questions.map(([question, ms, said]) =>
      assertRejects(() => pool.ask(question, { ms }), Error, said)
    ),
  );
  assertEquals(await pool.ask(1, SOON), 1);
  assertEquals(started.length, 3);
  await pool.close();
});

Deno.test("createWorkerPool: long questions never take the last worker", async () => {
  const { pool, started } = poolOf(2);
  const over = new AbortController();
  const long = [1, 2].map(() =>
    assertRejects(() => pool.ask("endless", { ...SOON, signal: over.signal, isLong: true }))
  );
  assertEquals(await pool.ask(1, SOON), 1);
  assertEquals(started.length, 2);
  over.abort();
  await Promise.all(long);
  await pool.close();
});

Deno.test("createWorkerPool: a crash rejects its question, and another worker answers the next", async () => {
  const { pool, started } = poolOf(1);
  await assertRejects(() => pool.ask("crash", SOON), Error, "Broken");
  assertEquals(await pool.ask(1, SOON), 1);
  assertEquals(started.length, 2);
  await pool.close();
});

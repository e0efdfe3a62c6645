import { assert, assertEquals, assertRejects } from "@std/assert";
import { createWorkerPool, type PoolFailure } from "../../../server/workers/worker_pool.ts";

/**
 * A pool, the questions that its workers got, and how many workers started and ended. They answer on
 * command, or repeat each question by themselves, but for "crash", "endless" and "last".
 */
function poolOf(
  max: number,
  { repeats = true, stop }: { repeats?: boolean; stop?: () => void } = {},
) {
  const started: Worker[] = [];
  const posted: unknown[] = [];
  let ended = 0;
  const answer = (data: string, worker = started[0]) =>
    worker.onmessage!.call(worker, new MessageEvent("message", { data }));
  function start(): Worker {
    const postMessage = (question: string) => {
      posted.push(question);
      if (!repeats || /^(endless|last)$/.test(question)) return;
      const crashed = new ErrorEvent("error", { message: "Broken", cancelable: true });
      queueMicrotask(() => {
        if (question !== "crash") return answer(question, worker);
        worker.onerror!(crashed);
        assert(crashed.defaultPrevented, "it would end the program");
      });
    };
    const worker = { postMessage, terminate: () => void ended++ } as Worker;
    started.push(worker);
    return worker;
  }
  const errorOf = (failure: PoolFailure, message = "") => new Error(`${failure} ${message}`);
  const pool = createWorkerPool<string, string>({ max, maxWaiting: 2, start, errorOf, stop });
  return { pool, started, posted, answer, ended: () => ended };
}

const SOON = { ms: 60_000 };

Deno.test("createWorkerPool: starts no more workers than needed and allowed, and others after a crash", async () => {
  const { pool, started } = poolOf(2);
  await pool.ask("1", SOON);
  await pool.ask("2", SOON);
  assertEquals(started.length, 1);
  assertEquals(await Promise.all(["1", "2", "3"].map((n) => pool.ask(n, SOON))), ["1", "2", "3"]);
  assertEquals(started.length, 2);
  const crashed = started.map(() => assertRejects(() => pool.ask("crash", SOON), Error, "Broken"));
  assertEquals(await pool.ask("1", SOON), "1");
  await Promise.all(crashed);
  assertEquals(started.length, 3);
  await pool.close();
});

Deno.test("createWorkerPool: a question that waited for most of its time is not late", async () => {
  const { pool, started, ended } = poolOf(1);
  const questions = [["endless", 900, "late"], ["1", 100, "busy"], ["last", 999, "busy"]] as const;
  await Promise.all(
    questions.map(([question, ms, said]) =>
      assertRejects(() => pool.ask(question, { ms }), Error, said)
    ),
  );
  assertEquals(await pool.ask("1", SOON), "1");
  assertEquals([started.length, ended()], [3, 2]);
  await pool.close();
});

Deno.test("createWorkerPool: long questions never take the last worker", async () => {
  for (const max of [2, 3]) {
    const { pool, started } = poolOf(max);
    const over = new AbortController();
    const options = { ...SOON, signal: over.signal, isLong: true };
    const long = Array.from(
      { length: max },
      () => assertRejects(() => pool.ask("endless", options)),
    );
    assertEquals(await pool.ask("1", SOON), "1");
    assertEquals(started.length, max);
    over.abort();
    await Promise.all(long);
    await pool.close();
  }
});

Deno.test("createWorkerPool: refuses what is too much, but for what goes first", async () => {
  const { pool, posted, answer } = poolOf(1, { repeats: false });
  const answers = ["a", "b", "c"].map((question) => pool.ask(question, SOON));
  await assertRejects(() => pool.ask("d", SOON), Error, "busy");
  const first = pool.ask("first", { ...SOON, isFirst: true });
  for (const data of ["A", "FIRST", "B", "C"]) answer(data);
  assertEquals(posted, ["a", "first", "b", "c"]);
  assertEquals(await Promise.all([...answers, first]), ["A", "B", "C", "FIRST"]);
});

Deno.test("createWorkerPool: what nobody waits for is not asked, or stopped without its worker", async () => {
  let stops = 0;
  const { pool, posted, answer, ended } = poolOf(1, { repeats: false, stop: () => void stops++ });
  const [going, waiting] = [new AbortController(), new AbortController()];
  const abandoned = [going, waiting].map(({ signal }, at) =>
    assertRejects(() => pool.ask(`given up ${at}`, { ...SOON, signal }))
  );
  const last = pool.ask("last", SOON);
  waiting.abort();
  going.abort();
  await Promise.all(abandoned);
  assertEquals([posted, stops, ended()], [["given up 0"], 1, 0]);
  answer("too late");
  assertEquals(posted, ["given up 0", "last"]);
  answer("in time");
  assertEquals(await last, "in time");
});

Deno.test("createWorkerPool: closing ends every question and worker, and nothing is asked then", async () => {
  const { pool, posted, ended } = poolOf(1, { repeats: false });
  const closed = ["a", "b"].map((question) =>
    assertRejects(() => pool.ask(question, SOON), Error, "closed")
  );
  await pool.close();
  await Promise.all(closed);
  await assertRejects(() => pool.ask("c", SOON), Error, "closed");
  assertEquals([posted, ended()], [["a"], 1]);
});

import { assertEquals, assertRejects } from "@std/assert";
import { systemRuntime } from "../../../../lib/client/transport/runtime.ts";

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

import { assert, assertEquals, assertRejects } from "@std/assert";
import { systemRuntime } from "../../lib/runtime.ts";
import { createTestClock } from "../../lib/testing.ts";
import { Interruption, within } from "../../lib/within.ts";

Deno.test("systemRuntime: a wait longer than a timer takes does not end at once", async () => {
  const controller = new AbortController();
  let over = false;
  const wait = systemRuntime().sleep(2 ** 31 + 5, controller.signal).then(() => {
    over = true;
  });
  // A delay above 2^31 - 1 fires within a millisecond; five turns of short timers are later.
  for (let turn = 0; turn < 5; turn++) await systemRuntime().sleep(1);
  assertEquals(over, false);
  controller.abort(new Error("enough"));
  await assertRejects(() => wait, Error, "enough");
});

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

Deno.test("systemRuntime: a timer that was called off does not call back", async () => {
  let calls = 0;
  const cancel = systemRuntime().setTimer(() => calls++, 0);
  cancel();
  await systemRuntime().sleep(1);
  assertEquals(calls, 0);
});

Deno.test("systemRuntime: now counts milliseconds since 1970", () => {
  assert(Math.abs(systemRuntime().now() - Date.now()) < 60_000);
});

Deno.test("systemRuntime: sleep rejects at once on a signal that aborted", async () => {
  await assertRejects(
    () => systemRuntime().sleep(1000, AbortSignal.abort(new Error("before"))),
    Error,
    "before",
  );
});

Deno.test("within: ends with the work, by time, or by the signal, and cleans up", async () => {
  const { runtime, pending } = createTestClock();
  const controller = new AbortController();
  const bounds = { runtime, ms: 1000, signal: controller.signal };
  assertEquals(await within(bounds, () => Promise.resolve(7)), 7);

  let own: AbortSignal | undefined;
  const clock = createTestClock();
  const late = within({ runtime: clock.runtime, ms: 1000 }, (signal) => {
    own = signal;
    return new Promise(() => {});
  });
  clock.advance(999);
  assertEquals(own?.aborted, false);
  clock.advance(1);
  const byTime = await late.catch((thrown) => thrown);
  assert(byTime instanceof Interruption && byTime.by === "time");
  assertEquals([own?.aborted, clock.pending, pending], [true, 0, 0]);

  const aborted = within(bounds, () => new Promise(() => {}));
  controller.abort();
  const bySignal = await aborted.catch((thrown) => thrown);
  assert(bySignal instanceof Interruption && bySignal.by === "signal");
});

Deno.test("within: does not begin work whose time is over", async () => {
  const { runtime } = createTestClock();
  let begun = false;
  const work = () => {
    begun = true;
    return Promise.resolve();
  };
  const thrown = await within({ runtime, ms: 0 }, work).catch((error) => error);
  assertEquals([thrown instanceof Interruption, begun], [true, false]);
});

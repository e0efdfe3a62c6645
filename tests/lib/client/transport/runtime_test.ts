import { assertEquals, assertRejects } from "@std/assert";
import { systemRuntime, within } from "../../../../lib/client/transport/runtime.ts";
import { createTestClock } from "../../../../lib/testing/mod.ts";

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

Deno.test("systemRuntime: sleep rejects at once on a signal that aborted", async () => {
  await assertRejects(
    () => systemRuntime().sleep(1000, AbortSignal.abort(new Error("before"))),
    Error,
    "before",
  );
});

function interruption(isAbort: boolean): Error {
  return new Error(isAbort ? "aborted" : "too late");
}

function never(): Promise<never> {
  return new Promise(() => {});
}

Deno.test("within: ends with the work, by time, or by the signal, and cleans up", async () => {
  const clock = createTestClock();
  const { runtime } = clock;
  const { signal } = new AbortController();
  const seven = () => Promise.resolve(7);
  assertEquals(await within(seven, 1000, runtime.setTimer, signal, interruption), 7);
  const broken = () => Promise.reject(new Error("broken"));
  await assertRejects(
    () => within(broken, 1000, runtime.setTimer, signal, interruption),
    Error,
    "broken",
  );

  let own: AbortSignal | undefined;
  const late = within(
    (signal) => {
      own = signal;
      return never();
    },
    1000,
    clock.runtime.setTimer,
    undefined,
    interruption,
  );
  clock.advance(999);
  assertEquals(own?.aborted, false);
  clock.advance(1);
  await assertRejects(() => late, Error, "too late");
  assertEquals(own?.aborted, true);

  const controller = new AbortController();
  const aborted = within(never, 1000, clock.runtime.setTimer, controller.signal, interruption);
  controller.abort();
  await assertRejects(() => aborted, Error, "aborted");
});

Deno.test("within: leaves no timer behind, however the work ends", async () => {
  const clock = createTestClock();
  const controller = new AbortController();
  const works = [
    () => Promise.resolve(),
    () => Promise.reject(new Error("broken")),
    never,
  ];
  const ends = works.map((work) =>
    within(work, 1000, clock.runtime.setTimer, controller.signal, interruption)
  );
  assertEquals(clock.pending, 3);
  controller.abort();
  await Promise.allSettled(ends);
  assertEquals(clock.pending, 0);
});

Deno.test("within: does not begin work whose time is over, or that is not wanted", async () => {
  const { setTimer } = createTestClock().runtime;
  let begun = false;
  const work = () => {
    begun = true;
    return Promise.resolve();
  };
  const signal = AbortSignal.abort();
  await assertRejects(() => within(work, 0, setTimer, undefined, interruption), Error, "too late");
  await assertRejects(() => within(work, 1000, setTimer, signal, interruption), Error, "aborted");
  assertEquals(begun, false);
});

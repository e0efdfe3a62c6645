import { assertEquals, assertRejects } from "@std/assert";
import { createSharedCalls } from "../../../server/schedules/shared_calls.ts";

/** Shares a call that ends when it is told to. */
function setUp() {
  const calls: (PromiseWithResolvers<string> & { readonly signal: AbortSignal })[] = [];
  const share = createSharedCalls();
  const call = (signal: AbortSignal) => {
    const end = Promise.withResolvers<string>();
    signal.addEventListener("abort", () => end.reject(signal.reason));
    calls.push({ ...end, signal });
    return end.promise;
  };
  return { calls, ask: (key: string, signal?: AbortSignal) => share(key, signal, call) };
}

Deno.test("createSharedCalls: who calls at once gets the same result or error, and later ones another", async () => {
  const { calls, ask } = setUp();
  const waiting = [ask("a"), ask("a", new AbortController().signal), ask("b")];
  assertEquals(calls.length, 2);
  calls[0].reject(new Error("away"));
  calls[1].resolve("of b");
  for (const each of waiting.slice(0, 2)) await assertRejects(() => each, Error, "away");
  assertEquals(await waiting[2], "of b");
  const again = [ask("a"), ask("b")];
  calls[2].resolve("new a");
  calls[3].resolve("new b");
  assertEquals(await Promise.all(again), ["new a", "new b"]);
});

Deno.test("createSharedCalls: the call is aborted when the last caller leaves, not before", async () => {
  const { calls, ask } = setUp();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [ask("a", first.signal), ask("a", second.signal)];
  first.abort(new Error("first left"));
  await assertRejects(() => waiting[0], Error, "first left");
  assertEquals(calls[0].signal.aborted, false);
  second.abort(new Error("second left"));
  await assertRejects(() => waiting[1], Error, "second left");
  assertEquals(calls[0].signal.aborted, true);
  // Whoever comes after that is not given what was aborted, and who has left makes no call.
  const later = ask("a");
  await assertRejects(() => ask("c", first.signal), Error, "first left");
  assertEquals(calls.length, 2);
  calls[1].resolve("whole");
  assertEquals(await later, "whole");
});

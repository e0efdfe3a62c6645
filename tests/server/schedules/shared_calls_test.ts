import { assert, assertEquals, assertRejects } from "@std/assert";
import { createSharedCalls } from "../../../server/schedules/shared_calls.ts";

/** A call that ends when it is told to, and counts how often it was made. */
function controlledCall() {
  const calls: { readonly signal: AbortSignal; readonly end: PromiseWithResolvers<string> }[] = [];
  return {
    calls,
    call(signal: AbortSignal): Promise<string> {
      const end = Promise.withResolvers<string>();
      signal.addEventListener("abort", () => end.reject(signal.reason));
      calls.push({ signal, end });
      return end.promise;
    },
  };
}

Deno.test("createSharedCalls: concurrent callers share one call, later ones start another", async () => {
  const share = createSharedCalls();
  const { calls, call } = controlledCall();
  const { signal } = new AbortController();
  const waiting = [share("a", signal, call), share("a", undefined, call), share("b", signal, call)];
  assertEquals(calls.length, 2);
  calls[0].end.resolve("of a");
  calls[1].end.resolve("of b");
  assertEquals(await Promise.all(waiting), ["of a", "of a", "of b"]);
  const again = share("a", signal, call);
  assertEquals(calls.length, 3);
  calls[2].end.resolve("new");
  assertEquals(await again, "new");
});

Deno.test("createSharedCalls: an error goes to every caller, and is not cached", async () => {
  const share = createSharedCalls();
  const { calls, call } = controlledCall();
  const waiting = [share("a", undefined, call), share("a", undefined, call)];
  calls[0].end.reject(new Error("away"));
  for (const result of waiting) await assertRejects(() => result, Error, "away");
  const again = share("a", undefined, call);
  calls[1].end.resolve("back");
  assertEquals(await again, "back");
});

Deno.test("createSharedCalls: the call is aborted when the last caller leaves, not before", async () => {
  const share = createSharedCalls();
  const { calls, call } = controlledCall();
  const [first, second] = [new AbortController(), new AbortController()];
  const ofFirst = share("a", first.signal, call);
  const ofSecond = share("a", second.signal, call);
  first.abort(new Error("first left"));
  await assertRejects(() => ofFirst, Error, "first left");
  assertEquals(calls[0].signal.aborted, false);
  second.abort(new Error("second left"));
  await assertRejects(() => ofSecond, Error, "second left");
  assert(calls[0].signal.aborted);
  // Whoever comes after that is not given what was aborted.
  const later = share("a", undefined, call);
  assertEquals(calls.length, 2);
  calls[1].end.resolve("whole");
  assertEquals(await later, "whole");
});

Deno.test("createSharedCalls: an aborted signal makes no call", async () => {
  const share = createSharedCalls();
  const { calls, call } = controlledCall();
  const left = AbortSignal.abort(new Error("left"));
  await assertRejects(() => share("a", left, call), Error, "left");
  assertEquals(calls, []);
});

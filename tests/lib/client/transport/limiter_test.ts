import { assert, assertEquals, assertRejects } from "@std/assert";
import { createLimiter, type Limiter } from "../../../../lib/client/transport/limiter.ts";
import { createTestClock } from "../../../../lib/testing/mod.ts";

const NEVER = new AbortController().signal;

/** Lets whatever is ready go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** Lets a request wait; `leave` is there as soon as it was let through. */
function request(limiter: Limiter) {
  const waiting: { leave?: Awaited<ReturnType<Limiter["enter"]>> } = {};
  void limiter.enter(NEVER).then((leave) => waiting.leave = leave);
  return waiting;
}

Deno.test("createLimiter: lets as many through as may be in flight, and the next one when one leaves", async () => {
  const limiter = createLimiter({ mostInFlight: 2, runtime: createTestClock().runtime });
  const [first, second, third] = [1, 2, 3].map(() => request(limiter));
  await settle();
  assert(first.leave && second.leave && !third.leave);
  first.leave!();
  await settle();
  assert(third.leave);
});

Deno.test("createLimiter: of those that wait the first goes first", async () => {
  const limiter = createLimiter({ mostInFlight: 1, runtime: createTestClock().runtime });
  const leave = await limiter.enter(NEVER);
  const order: number[] = [];
  for (const place of [1, 2, 3]) {
    void limiter.enter(NEVER).then((leave) => {
      order.push(place);
      leave();
    });
  }
  leave();
  await settle();
  assertEquals(order, [1, 2, 3]);
});

Deno.test("createLimiter: after a refusal it stays closed as long as asked, and widens after ten good answers", async () => {
  const clock = createTestClock();
  const limiter = createLimiter({ mostInFlight: 3, runtime: clock.runtime });
  const enter = () => limiter.enter(NEVER);
  const leaves = await Promise.all([enter(), enter(), enter()]);
  leaves[0](5000);
  leaves[1](3000);
  leaves[2]();
  const startedAt = clock.runtime.now();
  const leave = await enter();
  assertEquals(clock.runtime.now() - startedAt, 5000);
  const second = request(limiter);
  await settle();
  assert(!second.leave, "a second one came through");
  leave();
  await settle();
  second.leave!();
  for (let answer = 2; answer < 10; answer++) (await enter())();
  const wide = [request(limiter), request(limiter), request(limiter)];
  await settle();
  assertEquals(wide.map(({ leave }) => leave !== undefined), [true, true, false]);
});

Deno.test("createLimiter: when nobody waits any more, no timer is left", async () => {
  const clock = createTestClock();
  const limiter = createLimiter({ mostInFlight: 1, runtime: clock.runtime });
  (await limiter.enter(NEVER))(60_000);
  const controllers = [new AbortController(), new AbortController()];
  const waiting = controllers.map(({ signal }) => limiter.enter(signal));
  assertEquals(clock.pending, 2);
  controllers[0].abort(new Error("first"));
  await assertRejects(() => waiting[0], Error, "first");
  assertEquals(clock.pending, 1);
  controllers[1].abort(new Error("second"));
  await assertRejects(() => waiting[1], Error, "second");
  assertEquals(clock.pending, 0);
  await assertRejects(
    () => limiter.enter(AbortSignal.abort(new Error("before"))),
    Error,
    "before",
  );
  // The clock itself looks round once more.
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done, 0));
});

Deno.test("createLimiter: whoever no longer waits is passed over", async () => {
  const limiter = createLimiter({ mostInFlight: 1, runtime: createTestClock().runtime });
  const leave = await limiter.enter(NEVER);
  const controller = new AbortController();
  const order: number[] = [];
  void limiter.enter(controller.signal).then(() => order.push(1));
  void limiter.enter(NEVER).then(() => order.push(2));
  controller.abort();
  leave();
  await settle();
  assertEquals(order, [2]);
});

import { assertEquals, assertRejects } from "@std/assert";
import { createGate, type Leave } from "../../lib/gate.ts";
import { createTestClock } from "../../lib/testing.ts";

const NEVER = new AbortController().signal;

/** Lets whatever is ready go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

Deno.test("Gate: lets so many through, and the next one when one leaves", async () => {
  const gate = createGate(createTestClock().runtime, 2);
  const first = gate(1).enterAtOnce();
  assertEquals([typeof first, typeof gate(2).enterAtOnce()], ["function", "function"]);
  assertEquals(gate(3).enterAtOnce(), undefined);
  let entered = false;
  void gate(3).enter(NEVER).then(() => entered = true);
  await settle();
  assertEquals(entered, false);
  first!();
  await settle();
  assertEquals(entered, true);
});

Deno.test("Gate: of those that wait the lowest goes first, and nobody passes them", async () => {
  const gate = createGate(createTestClock().runtime, 1);
  const leave = gate(0).enterAtOnce()!;
  const order: number[] = [];
  const leaves: Leave[] = [];
  for (const place of [30, 10, 20]) {
    void gate(place).enter(NEVER).then((leave) => {
      order.push(place);
      leaves.push(leave);
    });
  }
  leave();
  await settle();
  assertEquals(gate(5).enterAtOnce(), undefined);
  for (let turn = 0; turn < 2; turn++) {
    leaves.shift()!();
    await settle();
  }
  assertEquals(order, [10, 20, 30]);
});

Deno.test("Gate: refused, it stays closed for as long, and lets one through at a time", async () => {
  const clock = createTestClock();
  const gate = createGate(clock.runtime, 3);
  const leaves = [gate(1), gate(2), gate(3)].map((passage) => passage.enterAtOnce()!);
  leaves[0](5000);
  leaves[1](3000);
  leaves[2]();
  const began = clock.runtime.now();
  assertEquals(gate(4).enterAtOnce(), undefined);
  const leave = await gate(4).enter(NEVER);
  assertEquals(clock.runtime.now() - began, 5000);
  assertEquals(gate(5).enterAtOnce(), undefined, "a second one came through");
  leave();
  for (let answer = 0; answer < 9; answer++) gate(6).enterAtOnce()!();
  const wide = [gate(7), gate(8), gate(9)].map((passage) => typeof passage.enterAtOnce());
  assertEquals(wide, ["function", "function", "undefined"]);
});

Deno.test("Gate: when nobody waits any more, no timer is left", async () => {
  const clock = createTestClock();
  const gate = createGate(clock.runtime, 1);
  gate(1).enterAtOnce()!(60_000);
  const controllers = [new AbortController(), new AbortController()];
  const waiting = controllers.map(({ signal }, place) => gate(place).enter(signal));
  assertEquals(clock.pending, 2);
  controllers[0].abort(new Error("first"));
  await assertRejects(() => waiting[0], Error, "first");
  assertEquals(clock.pending, 1);
  controllers[1].abort(new Error("second"));
  await assertRejects(() => waiting[1], Error, "second");
  assertEquals(clock.pending, 0);
  await assertRejects(() => gate(3).enter(AbortSignal.abort(new Error("before"))), Error, "before");
  // The clock itself looks round once more.
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done, 0));
});

Deno.test("Gate: whoever no longer waits is passed over", async () => {
  const gate = createGate(createTestClock().runtime, 1);
  const leave = gate(0).enterAtOnce()!;
  const controller = new AbortController();
  const order: number[] = [];
  void gate(1).enter(controller.signal).then(() => order.push(1));
  void gate(2).enter(NEVER).then(() => order.push(2));
  controller.abort();
  leave();
  await settle();
  assertEquals(order, [2]);
});

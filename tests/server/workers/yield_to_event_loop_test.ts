import { assertEquals } from "@std/assert";
import { setImmediate } from "node:timers";
import { yieldToEventLoop } from "../../../server/workers/yield_to_event_loop.ts";

Deno.test("yieldToEventLoop: others are served between two callers", async () => {
  const order: string[] = [];
  const other = () => {
    order.push("other");
    if (order.length < 5) setImmediate(other);
  };
  const callers = [1, 2].map(async (caller) => {
    await yieldToEventLoop();
    order.push(`caller ${caller}`);
  });
  setImmediate(other);
  await Promise.all(callers);
  const between = order.slice(order.indexOf("caller 1") + 1, order.indexOf("caller 2"));
  assertEquals(between.length > 0, true, order.join());
});

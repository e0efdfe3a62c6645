import { assertEquals } from "@std/assert";
import { setImmediate } from "node:timers";
import { yieldToEventLoop } from "../../../server/workers/yield_to_event_loop.ts";

Deno.test("yieldToEventLoop: others are served in three turns between two callers", async () => {
  const order: string[] = [];
  const other = () => {
    order.push("other");
    if (order.length < 9) setImmediate(other);
  };
  setImmediate(other);
  const caller = () => yieldToEventLoop().then(() => order.push("caller"));
  await Promise.all([caller(), caller()]);
  const first = order.indexOf("caller");
  assertEquals(order.slice(first, first + 5), ["caller", "other", "other", "other", "caller"]);
});

import { assert, assertEquals } from "@std/assert";
import { simulate } from "./year.ts";

Deno.test("createObserver: over simulated weeks each planted fault is sent once, and nothing else", async () => {
  const { faults, invented, repeated, requests } = await simulate(5, 20);
  assert(faults.length >= 5, `only ${faults.length} faults were planted`);
  assertEquals(faults.filter(({ sent }) => sent === null), []);
  assertEquals([invented, repeated], [[], []]);
  // Failures are seen a round after they end; what is overdue, after its grace and a usual run.
  for (const { code, knowable, sent } of faults) {
    const minutes = (sent! - knowable) / 60_000;
    assert(minutes <= (code === "failing" ? 10 : 45), `${code} was sent after ${minutes} min`);
  }
  assert(requests <= 5 * 20 * 80, `${requests} requests`);
});

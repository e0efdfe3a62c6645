import { assertEquals } from "@std/assert";
import { computedOnce } from "../../../server/schedules/run_cache.ts";

Deno.test("computedOnce: made once for each object, kind and question", () => {
  const of = {};
  let made = 0;
  const make = (kind: string, question?: string) =>
    computedOnce(of, { kind, question }, () => ++made);
  assertEquals([make("a"), make("a"), make("b"), make("a", "x"), make("a", "x")], [1, 1, 2, 3, 3]);
  assertEquals(computedOnce({}, { kind: "a" }, () => ++made), 4);
});

import { assertEquals } from "@std/assert";
import { repeatable } from "../../../server/http/upstream_words.ts";

Deno.test("repeatable: what is long is cut between characters, and says so", () => {
  assertEquals(repeatable("No such field"), "No such field");
  assertEquals(repeatable("a".repeat(500)), "a".repeat(500));
  assertEquals(repeatable("a".repeat(64 * 1024)), `${"a".repeat(500)}…`);
  assertEquals(repeatable(`${"a".repeat(499)}😀`), `${"a".repeat(499)}\ufffd…`);
});

Deno.test("repeatable: an address at the cut is masked", () => {
  const words = `${"a ".repeat(248)}jane@example.com`;
  assertEquals(repeatable(words).includes("jane"), false);
});

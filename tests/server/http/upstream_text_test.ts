import { assertEquals } from "@std/assert";
import { safeUpstreamText } from "../../../server/http/upstream_text.ts";

Deno.test("safeUpstreamText: what is long is cut between characters, and says so", () => {
  assertEquals(safeUpstreamText("No such field"), "No such field");
  assertEquals(safeUpstreamText("a".repeat(500)), "a".repeat(500));
  assertEquals(safeUpstreamText("a".repeat(64 * 1024)), `${"a".repeat(500)}…`);
  assertEquals(safeUpstreamText(`${"a".repeat(499)}😀`), `${"a".repeat(499)}\ufffd…`);
});

Deno.test("safeUpstreamText: an address at the cut is masked", () => {
  const words = `${"a ".repeat(248)}jane@example.com`;
  assertEquals(safeUpstreamText(words).includes("jane"), false);
});

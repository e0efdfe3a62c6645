import { assertEquals } from "@std/assert";
import { filterText, MAX_TEXT } from "../../lib/filter_text.ts";

Deno.test("filterText: shortens a text, and removes what databases reject", () => {
  const read = (q: string) => filterText(new URLSearchParams({ q }), "q");
  assertEquals(read(" sa\0les "), "sales");
  assertEquals(read("\0"), "");
  const half = read(`${"x".repeat(MAX_TEXT - 1)}😀`);
  assertEquals([half.length, half.isWellFormed()], [MAX_TEXT, true]);
});

import { assertEquals } from "@std/assert";
import { textIssue } from "../../../server/store/text.ts";

Deno.test("textIssue: names NUL and half surrogate pairs, and nothing else", () => {
  assertEquals(textIssue("a\0b"), "must not contain the NUL character");
  assertEquals(textIssue("\ud800"), "must not contain half of a surrogate pair");
  assertEquals(textIssue("\u{1f600} \uffff '\""), undefined);
});

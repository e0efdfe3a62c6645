import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../any_text.ts";
import { foldCase, textIssue } from "../../../server/store/text.ts";

Deno.test("foldCase: makes no difference between cases, also beyond ASCII", () => {
  for (
    const [one, other] of [["ABC", "abc"], ["É", "é"], ["ΣΑΣ", "σας"], ["Straße", "STRASSE"], [
      "Straße",
      "STRAẞE",
    ]]
  ) {
    assertEquals(foldCase(one), foldCase(other));
  }
});

Deno.test("foldCase: of a part is part of foldCase of the whole", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(fc.property(text, text, text, (a, b, c) => {
    assertEquals(foldCase(a + b + c), foldCase(a) + foldCase(b) + foldCase(c));
  }));
});

Deno.test("foldCase: folding twice changes nothing", () => {
  fc.assert(fc.property(anyText(), (text) => {
    assertEquals(foldCase(foldCase(text)), foldCase(text));
  }));
});

Deno.test("textIssue: names NUL and half surrogate pairs, and nothing else", () => {
  assertEquals(textIssue("a\0b"), "must not contain the NUL character");
  assertEquals(textIssue("\ud800"), "must not contain half of a surrogate pair");
  assertEquals(textIssue("\u{1f600} \uffff '\""), undefined);
});

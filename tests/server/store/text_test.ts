import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { foldCase, textFault } from "../../../server/store/text.ts";

Deno.test("foldCase: makes no difference between cases, also beyond ASCII", () => {
  for (const [one, other] of [["ABC", "abc"], ["É", "é"], ["ΣΑΣ", "σας"], ["Straße", "STRASSE"]]) {
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
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assertEquals(foldCase(foldCase(text)), foldCase(text));
  }));
});

Deno.test("textFault: names NUL and half surrogate pairs, and nothing else", () => {
  assertEquals(textFault("a\0b"), "must not contain the NUL character");
  assertEquals(textFault("\ud800"), "must not contain half of a surrogate pair");
  assertEquals(textFault("\u{1f600} \uffff '\""), undefined);
});

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../any_text.ts";
import { compareText, foldCase, textIssue } from "../../../server/store/text.ts";

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

Deno.test("compareText: is the order of code points", () => {
  const text = fc.array(fc.constantFrom("a", "b", "\uff5e", "\u{1f600}", "\u{1f601}", "\u{2f600}"))
    .map((characters) => characters.join(""));
  fc.assert(fc.property(text, text, (a, b) => {
    const bytes = (each: string) => new TextEncoder().encode(each).toHex();
    const expected = bytes(a) < bytes(b) ? -1 : bytes(a) > bytes(b) ? 1 : 0;
    assertEquals(Math.sign(compareText(a, b)), expected);
  }));
});

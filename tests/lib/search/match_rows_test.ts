import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { compareValues, foldCase } from "../../../lib/search/match_rows.ts";

Deno.test("compareValues: texts are ordered by code points", () => {
  const points = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);
  const text = fc.string({
    unit: fc.constantFrom("a", "é", "\uD7FF", "\uE000", "\uFFFF", "😀", "𐀀"),
  });
  fc.assert(fc.property(text, text, (a, b) => {
    const [one, other] = [points(a), points(b)];
    const at = one.findIndex((point, at) => point !== other[at]);
    const expected = at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
    assertEquals(Math.sign(compareValues(a, b)), Math.sign(expected));
  }));
});

Deno.test("foldCase: makes no difference between cases, also beyond ASCII", () => {
  for (const pair of ["ABC abc", "É é", "ΣΑΣ σας", "Straße STRASSE", "Straße STRAẞE"]) {
    const [one, other] = pair.split(" ");
    assertEquals(foldCase(one), foldCase(other));
  }
});

Deno.test("foldCase: of a part is part of foldCase of the whole", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(fc.property(text, text, text, (a, b, c) => {
    assertEquals(foldCase(a + b + c), foldCase(a) + foldCase(b) + foldCase(c));
  }));
});

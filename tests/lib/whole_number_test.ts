import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { wholeNumber } from "../../lib/whole_number.ts";

Deno.test("wholeNumber: reads back every exact number", () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (number) => wholeNumber(String(number)) === number));
});

Deno.test("wholeNumber: leading zeros and a sign before zero change nothing", () => {
  assertEquals([wholeNumber("007"), wholeNumber("-12")], [7, -12]);
  // Not by assertEquals, which takes -0 for 0.
  assert(Object.is(wholeNumber("-0"), 0));
});

Deno.test("wholeNumber: anything else that JavaScript takes for a number is none", () => {
  const texts = ["", " ", "1e3", "0x10", "1.0", "+1", "1_000", " 1", "1\n", "Infinity", "١", "--1"];
  for (const text of [...texts, "9007199254740992", "-9007199254740992", "9".repeat(400)]) {
    assertEquals(wholeNumber(text), null, text);
  }
});

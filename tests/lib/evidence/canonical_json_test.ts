import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { canonicalJson, parseCanonicalJson } from "../../../lib/evidence/canonical_json.ts";

Deno.test("canonicalJson: RFC 8785, section 3.2.2 and 3.2.3: the sample object", () => {
  const sample = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`);
  assertEquals(
    canonicalJson(sample),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

Deno.test("canonicalJson: RFC 8785, section 3.2.3: names by their UTF-16 code units", () => {
  const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
  const text = canonicalJson(Object.fromEntries(names.map((name) => [name, name])));
  assertEquals(
    Object.keys(JSON.parse(text)).filter((name) => name !== "1"),
    ["\r", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"],
  );
});

Deno.test("canonicalJson: RFC 8785, appendix B: numbers by their bits", () => {
  const samples: [string, string][] = [
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555554", "333333333.33333325"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ];
  for (const [bits, text] of samples) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    assertEquals(canonicalJson(view.getFloat64(0)), text);
  }
  for (const value of [NaN, Infinity, "\ud83d", ["\udead"], { "\ud800": 1 }, 1n, () => {}]) {
    assertThrows(() => canonicalJson(value), TypeError);
  }
});

Deno.test("canonicalJson: it is read back, and in no other form", () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
    if (!JSON.stringify(value).isWellFormed() || /\\ud[89a-f]/.test(JSON.stringify(value))) return;
    const text = canonicalJson(value);
    assertEquals(parseCanonicalJson(text), JSON.parse(JSON.stringify(value)));
    assertThrows(() => parseCanonicalJson(`${text} `), SyntaxError);
  }));
  for (
    const text of ['{"a":1,"a":1}', '{"b":1,"a":1}', "1.0", "-0", String.raw`"\u0041"`, "[1,]"]
  ) {
    assertThrows(() => parseCanonicalJson(text), SyntaxError);
  }
});

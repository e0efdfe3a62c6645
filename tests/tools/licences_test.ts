import { assertEquals } from "@std/assert";
import { isAllowed, judge, type Use } from "../../tools/licences.ts";

Deno.test("isAllowed: of OR one licence must be allowed, of AND all", () => {
  const verdicts = {
    "MIT": true,
    "(MIT OR GPL-3.0-only)": true,
    "GPL-3.0-only OR ISC": true,
    "MIT AND ISC": true,
    "(GPL-3.0-only OR MIT) AND ISC": true,
    "MIT OR GPL-3.0-only AND ISC": true,
    "": false,
    "GPL-3.0-only": false,
    "(GPL-3.0-only)": false,
    "MIT AND GPL-3.0-only": false,
    "(MIT OR ISC) AND GPL-3.0-only": false,
    "MIT WITH a-clause": false,
    "(MIT": false,
    "MIT)": false,
    "SEE LICENSE IN LICENSE.md": false,
    "mit": false,
  };
  for (const [expression, verdict] of Object.entries(verdicts)) {
    assertEquals(isAllowed(expression, ["MIT", "ISC"]), verdict, expression);
  }
});

Deno.test("judge: reads old and new forms of manifests, and allows more for building", () => {
  const judged = (use: Use, manifest: Record<string, unknown> | null) => {
    const { licence, issue } = judge({ name: "a", version: "1.0.0", use, manifest });
    return [licence, issue?.replace(/; .*/, "")];
  };
  const old = { licenses: [{ type: "MIT" }, { type: "ISC" }] };
  assertEquals(judged("runs", old), ["(MIT OR ISC)", undefined]);
  assertEquals(judged("runs", { license: { type: "MPL-2.0" } }), ["MPL-2.0", undefined]);
  const license = "CC-BY-4.0";
  assertEquals(judged("builds", { license }), [license, undefined]);
  assertEquals(judged("runs", { license }), [license, `has the licence ${license}`]);
  assertEquals(judged("builds", {}), ["", "names no licence"]);
  assertEquals(judged("runs", { license: 5, licenses: [null] }), ["", "names no licence"]);
  assertEquals(judged("runs", null), ["", undefined]);
});

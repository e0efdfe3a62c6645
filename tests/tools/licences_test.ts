import { assertEquals, assertStringIncludes } from "@std/assert";
import { isAllowed, judge, licenceIn, type Use } from "../../tools/licences.ts";

Deno.test("isAllowed: of OR one licence must be allowed, of AND all", () => {
  const allowed = ["MIT", "ISC"];
  for (
    const expression of [
      "MIT",
      "(MIT OR GPL-3.0-only)",
      "GPL-3.0-only OR ISC",
      "MIT AND ISC",
      "(GPL-3.0-only OR MIT) AND ISC",
      "MIT OR GPL-3.0-only AND ISC",
    ]
  ) assertEquals(isAllowed(expression, allowed), true, expression);
  for (
    const expression of [
      "",
      "GPL-3.0-only",
      "MIT AND GPL-3.0-only",
      "(MIT OR ISC) AND GPL-3.0-only",
      "MIT WITH a-clause",
      "(MIT",
      "MIT)",
      "SEE LICENSE IN LICENSE.md",
      "UNLICENSED",
      "mit",
    ]
  ) assertEquals(isAllowed(expression, allowed), false, expression);
});

Deno.test("licenceIn: reads old and new forms of manifests", () => {
  assertEquals(licenceIn({ license: "MIT" }), "MIT");
  assertEquals(licenceIn({ license: { type: "ISC", url: "x" } }), "ISC");
  assertEquals(licenceIn({ licenses: [{ type: "MIT" }, { type: "ISC" }] }), "(MIT OR ISC)");
  assertEquals(licenceIn({}), "");
  assertEquals(licenceIn({ license: 5, licenses: [null] }), "");
});

Deno.test("judge: allows more licences for building, and skips what is not installed", () => {
  const issueOf = (use: Use, manifest: Record<string, unknown> | null) =>
    judge({ name: "a", version: "1.0.0", use, manifest }).issue;
  assertEquals(issueOf("builds", { license: "CC-BY-4.0" }), null);
  assertEquals(issueOf("runs", { license: "MPL-2.0" }), null);
  const issue = issueOf("runs", { license: "CC-BY-4.0" });
  assertStringIncludes(issue ?? "", "has the licence CC-BY-4.0; allowed are 0BSD");
  assertEquals(issueOf("runs", {}), "names no licence");
  assertEquals(issueOf("builds", {}), "names no licence");
  assertEquals(issueOf("runs", null), null);
});

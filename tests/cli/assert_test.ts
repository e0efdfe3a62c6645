import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { world } from "./world.ts";

Deno.test("docket check: every field with what came, and 1 when the client can't work with it", async () => {
  const good = await world().docket("check", "101");
  assertEquals([good.code, good.err], [0, ""]);
  assert(good.out.startsWith("search file sets: 100 rows\n"), good.out);
  assertStringIncludes(good.out, "\n\nget report history: 100 rows\n");
  assert(!good.out.endsWith("\n\n"), "an empty line at the end");
  assertMatch(good.out, /^ok +fileSets\[\]\.fileCount +integer +integer 100 +0$/m);
  assert(!good.out.includes("ann@example.com"), "a value was written");

  const bad = await world({ quirks: { total: String } }).docket("check");
  assertEquals(bad.code, 1);
  assertMatch(bad.out, /^BAD +pageContext\.total +integer +string 1 +0$/m);
  assertEquals((await world().docket("check", "--all")).code, 2);
});

Deno.test("docket assert: 0 while no more match than may, and 1 with what matched", async () => {
  const { docket } = world();
  const none = await docket("assert", "owner:nobody");
  assertEquals([none.code, none.out, none.err], [
    0,
    "",
    "ok: 0 file sets match, at most 0 allowed\n",
  ]);
  const some = await docket("assert", "owner:ann", "-files:0", "--max", "3");
  assertEquals(some.code, 1);
  assertEquals(some.err, "FAILED: at least 11 file sets match, at most 3 allowed\n");
  const [headings, first, ...others] = some.out.trimEnd().split("\n");
  assertMatch(headings, /^id +name +owner *$/i);
  assertMatch(first, / ann *$/);
  assertEquals(others.length, 9);
  const all = await docket("assert", "owner:ann", "--max", "84");
  assertEquals([all.code, all.err], [0, "ok: 84 file sets match, at most 84 allowed\n"]);
  const { code, out } = await docket("assert", "owner:ann", "--max", "83", "--json");
  const { fileSets, ...found } = JSON.parse(out);
  const counted = { passes: false, max: 83, count: 84, isMore: true };
  assertEquals([code, found, fileSets.length], [1, counted, 10]);
});

Deno.test("docket assert: counts rows, and believes no total", async () => {
  const { docket } = world({ quirks: { mostRows: 10, total: () => 0 } });
  assertEquals((await docket("assert", "owner:ann", "--max", "83")).code, 1);
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { world } from "./world.ts";

Deno.test("docket check: each field with what came, 1 for one that can't be read", async () => {
  const good = await world().docket("check", "101");
  assertEquals([good.code, good.err], [0, ""]);
  assert(good.out.startsWith("search file sets: 100 rows\n"), good.out);
  assertMatch(good.out, /^get report history: 100 rows$/m);
  assertMatch(good.out, /^ok +fileSets\[\]\.fileCount +integer +integer 100 +0$/m);
  assert(!good.out.includes("ann@example.com"), "a value was written");
  const bad = await world({ quirks: { total: String } }).docket("check", "101");
  assertEquals(bad.code, 1);
  assertMatch(bad.out, /^BAD +pageContext\.total +integer +string 1 +0$/m);
});

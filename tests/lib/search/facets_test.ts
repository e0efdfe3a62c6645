import { assertEquals } from "@std/assert";
import { toValueFacet } from "../../../lib/search/facets.ts";

Deno.test("toValueFacet: what is not listed is counted together", () => {
  const counts = [["x".repeat(300), 9], ...Array.from({ length: 11 }, (_, n) => [`v${n}`, 1])];
  const facet = toValueFacet("owner", counts as [string, number][], 30);
  assertEquals(facet.options.length, 9);
  assertEquals(facet.others, 21);
  const lengthsOf = (...lengths: number[]) =>
    toValueFacet("owner", lengths.map((length) => ["x".repeat(length), 1])).options.length;
  assertEquals([lengthsOf(200), lengthsOf(201)], [1, 0]);
});

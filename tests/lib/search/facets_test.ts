import { assertEquals } from "@std/assert";
import { toValueFacet } from "../../../lib/search/facets.ts";

Deno.test("toValueFacet: the ten most frequent values, and how many have others", () => {
  const counts = Array.from({ length: 11 }, (_, at) => [`v${at}`, 3] as const);
  const { options, others } = toValueFacet("owner", counts, 40);
  assertEquals([options.length, others], [10, 10]);
});

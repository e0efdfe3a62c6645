import { assertEquals } from "@std/assert";
import { countRowFacets } from "../../../server/pages/row_facets.ts";
import type { FileSet } from "../../../lib/types.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");

/** The counts of one facet, by condition. */
function countsOf(fileSets: readonly FileSet[], field: string) {
  const { facets } = countRowFacets(fileSets, { now: NOW });
  return facets.find((facet) => facet.field === field)!.options.map(({ count }) => count);
}

Deno.test("countRowFacets: the most frequent values first, and ties in the order of their text", () => {
  const owners = ["b", "a", "c", "c", null, undefined];
  const [owner] = countRowFacets(owners.map((owner, id) => ({ id: String(id), owner }))).facets;
  assertEquals(
    owner.options.map(({ condition, count }) => [
      "operator" in condition && condition.value?.[0],
      count,
    ]),
    [["c", 2], [undefined, 2], ["a", 1], ["b", 1]],
  );
});

Deno.test("countRowFacets: dates by ranges that overlap, those without a date in none", () => {
  const dates = [
    "2026-03-14",
    "2026-02-20",
    "2026-01-05",
    "2025-07-01",
    "2024-12-31",
    null,
    "soon",
  ];
  const fileSets = dates.map((day, id) => ({
    id: String(id),
    updated: day && (day === "soon" ? day : `${day}T10:00:00Z`),
  }));
  // Last 7 and 30 days, this and last year, before.
  assertEquals(countsOf(fileSets, "updated"), [1, 2, 3, 1, 1]);
  assertEquals(countsOf(fileSets, "created"), [0, 0, 0, 0, 0]);
});

Deno.test("countRowFacets: numbers of files from thresholds on", () => {
  const fileSets = [0, 1, 9, 10, 100, 5000, null].map((fileCount, id) => ({
    id: String(id),
    fileCount,
  }));
  assertEquals(countsOf(fileSets, "fileCount"), [1, 5, 3, 2, 1, 0]);
});

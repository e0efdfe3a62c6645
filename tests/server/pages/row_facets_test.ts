import { assertEquals } from "@std/assert";
import { countRowFacets } from "../../../server/pages/file_set_search.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");

/** The counts of one facet of rows with these values, by condition. */
function countsOf(field: string, values: readonly unknown[]) {
  const rows = values.map((value, id) => ({ id: String(id), [field]: value }));
  const facet = countRowFacets(rows, { now: NOW }).facets.find((each) => each.field === field)!;
  return facet.options.map(({ count }) => count);
}

Deno.test("countRowFacets: the most frequent values first, and ties in the order of their text", () => {
  const owners = ["b", "a", "c", "c", null, undefined];
  const [owner] = countRowFacets(owners.map((owner, id) => ({ id: String(id), owner }))).facets;
  const counted = owner.options.map(({ condition, count }) =>
    `${"operator" in condition && condition.value?.[0]} ${count}`
  );
  assertEquals(counted, ["c 2", "undefined 2", "a 1", "b 1"]);
});

Deno.test("countRowFacets: dates by ranges that overlap, and numbers of files from thresholds on", () => {
  const days = ["2026-03-14", "2026-02-20", "2026-01-05", "2025-07-01", "2024-12-31"];
  const dates = [...days.map((day) => `${day}T10:00:00Z`), null, "soon"];
  // Last 7 and 30 days, this and last year, before.
  assertEquals(countsOf("updated", dates), [1, 2, 3, 1, 1]);
  assertEquals(countsOf("created", [null]), [0, 0, 0, 0, 0]);
  assertEquals(countsOf("fileCount", [0, 1, 9, 10, 100, 5000, null]), [1, 5, 3, 2, 1, 0]);
});

import { assertEquals } from "@std/assert";
import { factsOfFileSets } from "../../lib/file_set_facts.ts";

Deno.test("factsOfFileSets: what is equally frequent is in the order of its text", () => {
  const fileSets = ["bob", "cleo", "ann", "cleo", null, undefined]
    .map((owner, index) => ({ id: String(index), owner }));
  assertEquals(factsOfFileSets(fileSets).owners, [
    { value: "cleo", count: 2 },
    { value: null, count: 2 },
    { value: "ann", count: 1 },
    { value: "bob", count: 1 },
  ]);
});

Deno.test("factsOfFileSets: median, most and empty ones, whatever the order", () => {
  const files = (...counts: (number | null)[]) =>
    factsOfFileSets(counts.map((fileCount, index) => ({ id: String(index), fileCount }))).files;
  assertEquals(files(9, 0, 10), { total: 19, median: 9, most: 10, empty: 1 });
  assertEquals(files(10, 9, 0, 0), { total: 19, median: 4.5, most: 10, empty: 2 });
  assertEquals(files(null, 100, 9), { total: 109, median: 54.5, most: 100, empty: 0 });
  assertEquals(files(null), null);
});

Deno.test("factsOfFileSets: every month from the first to the last", () => {
  const fileSets = ["2026-02-28T23:59:59Z", "2025-12-01T00:00:00Z", "no date", null]
    .map((created, index) => ({ id: String(index), created }));
  assertEquals(factsOfFileSets(fileSets).created, [
    { month: "2025-12", count: 1 },
    { month: "2026-01", count: 0 },
    { month: "2026-02", count: 1 },
  ]);
});

import { assertEquals, assertThrows } from "@std/assert";
import { parseSearchQuery } from "../../../lib/search/search_query.ts";
import { matchFileSets } from "../../../lib/search/match_file_sets.ts";
import { makeFileSets } from "../../../lib/testing/mod.ts";
import type { FieldSort, FileSet, SearchInput } from "../../../lib/types.ts";

Deno.test("matchFileSets: what is missing comes first in ascending order, and ties by id", () => {
  const names = ["b", null, "a", undefined, "b"];
  const rows = makeFileSets(5).map((row, at) => ({ ...row, name: names[at]! }));
  const sorted = (...fieldSort: FieldSort[]) =>
    matchFileSets(rows.toReversed(), { fieldSort }).map(({ fileCount }) => fileCount);
  assertEquals(sorted({ field: "name", order: "ASC" }), [1, 3, 2, 0, 4]);
  assertEquals(sorted({ field: "name", order: "DESC" }), [0, 4, 2, 1, 3]);
  assertEquals(sorted({ field: "name" }, { field: "id", order: "DESC" }), [3, 1, 2, 4, 0]);
});

Deno.test("matchFileSets: negated conditions keep file sets without a value", () => {
  const rows: FileSet[] = [{ id: "a", owner: null }, { id: "b", owner: "ann" }, { id: "c" }];
  const ids = (query: string) =>
    matchFileSets(rows, parseSearchQuery(query).body).map(({ id }) => id);
  assertEquals(["-owner:ann", "no:owner"].map(ids), [["a", "c"], ["a", "c"]]);
  assertEquals(ids("-created:..2026"), ["a", "b", "c"]);
});

Deno.test("matchFileSets: null is as good as absent, and values may be numbers", async () => {
  const file = new URL("../../cases/search_with_number_and_null.json", import.meta.url);
  const body: SearchInput = JSON.parse(await Deno.readTextFile(file));
  const [first, second] = makeFileSets(2);
  const created = "2026-02-01T00:00:00Z";
  const rows = [
    { ...first, createdBy: 27, owner: null, created },
    { ...second, createdBy: 27, owner: "ann", created },
    { ...second, createdBy: 28, owner: null, created },
  ];
  assertEquals(matchFileSets(rows, body), [rows[0]]);
});

Deno.test("matchFileSets: blanks around a time don't matter", () => {
  const rows = ["2026-01-31T08:00:00 ", " 2026-01-31T08:00:00Z"]
    .map((created) => ({ id: created, created }));
  const range = { field: "created", start: "2026-01-31T08:00Z", end: "2026-01-31T08:01Z" };
  assertEquals(matchFileSets(rows, { dateFilters: [range] }), rows);
});

Deno.test("matchFileSets: fields that the interface does not name are compared by their type", () => {
  const rows = [{ id: "a", size: 9 }, { id: "b", size: 10 }, { id: "c" }];
  const size = { field: "size", operator: "GREATER_THAN", value: ["9"] };
  assertEquals(matchFileSets(rows, { filters: [size] }), [rows[1]]);
  const fieldSort = [{ field: "size", order: "DESC" }];
  assertEquals(matchFileSets(rows, { fieldSort }), [rows[1], rows[0], rows[2]]);
});

Deno.test("matchFileSets: what is not valid is an error that names it", () => {
  const cases: [SearchInput, string][] = [
    [{ filters: [{ field: "owner", operator: "MATCHES", value: ["a"] }] }, "MATCHES"],
    [{ filters: [{ field: "owner" }] }, "owner EQUALS needs a value"],
    [{ filters: [{ field: "fileCount", operator: "LIKE", value: ["1"] }] }, "fileCount"],
    [{ filters: [{ field: "fileCount", value: ["one"] }] }, "fileCount must be a whole number"],
    [{ filters: [{ field: "owner", operator: "IS_NULL", value: ["a"] }] }, "takes no value"],
    [{ dateFilters: [{ field: "created" }] }, "created needs a start, an end, or both"],
    [{ dateFilters: [{ field: "created", start: "2026-01-31" }] }, "created: 2026-01-31 must be"],
    [{ fieldSort: [{ field: "name", order: "UP" }] }, "UP"],
    [{ fieldSort: [{ field: "colour" }] }, "No file set has a field colour"],
  ];
  for (const [body, message] of cases) {
    assertThrows(() => matchFileSets(makeFileSets(1), body), RangeError, message);
  }
});

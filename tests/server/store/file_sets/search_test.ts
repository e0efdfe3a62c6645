import { assertEquals } from "@std/assert";
import type { Filter, SearchBody } from "../../../../lib/types.ts";
import type { Database, ReadOptions } from "../../../../server/store/database/database.ts";
import type { ProblemError } from "../../../../server/http/problem.ts";
import { readSearch, searchFileSets } from "../../../../server/store/file_sets/search.ts";
import { LIMITS } from "../../../../server/store/file_sets/search_body.ts";

/** The places of all issues of a search. */
function placesOf(body: SearchBody, page = {}) {
  try {
    readSearch(body, page);
    return [];
  } catch (error) {
    return (error as ProblemError).problem.errors.map(({ pointer, parameter }) =>
      pointer ?? parameter
    );
  }
}

Deno.test("readSearch: names too many filters, date filters, sort keys and values, also of LIKE", () => {
  const many = (count: number) => Array.from({ length: count }, () => ({ field: "created" }));
  const places = placesOf({
    fieldSort: many(LIMITS.sortKeys + 1),
    filters: many(LIMITS.filters + 1).map((each) => ({ ...each, operator: "IS_NULL" })),
    dateFilters: many(LIMITS.dateFilters + 1)
      .map((each) => ({ ...each, start: "2000-01-01T00:00:00Z" })),
  });
  assertEquals(places, ["/fieldSort", "/filters", "/dateFilters"]);
  const value = Array(LIMITS.values + 1).fill("x");
  assertEquals(placesOf({ filters: [{ field: "name", value }] }), ["/filters"]);
  // LIKE has values that no index finds.
  const parts = Array.from({ length: LIMITS.scannedValues + 1 }, (_, n) => n.toString(16));
  const id = { field: "id", operator: "LIKE", value: parts };
  assertEquals(placesOf({ filters: [id] }), ["/filters"]);
  const name = { field: "name", operator: "LIKE", value: parts.map((part) => `${part}x`) };
  assertEquals(placesOf({ filters: [name] }), ["/filters"]);
  const half = LIMITS.scannedValues / 2;
  const both = [id, name].map((each) => ({ ...each, value: parts.slice(0, half) }));
  assertEquals(placesOf({ filters: both }), []);
  const longer = { ...name, value: parts.map((part) => `${part}xy`) };
  assertEquals(placesOf({ filters: [...both, longer] }), []);
});

Deno.test("readSearch: names every issue of a search in one answer", () => {
  const filters: readonly (readonly [Filter, ...string[]])[] = [
    [{ field: "name" }, "value"],
    [{ field: "fileCount", value: ["1", "1.5", "many"] }, "value/1", "value/2"],
    [{ field: "fileCount", operator: "LIKE", value: ["1"] }, "operator"],
    [{ field: "name", operator: "MATCHES", value: ["x"] }, "operator"],
    [{ field: "name", operator: "IS_NULL", value: ["x"] }, "value"],
    [{ field: "created", value: ["2025-01-01", "2025-02-30T00:00:00Z"] }, "value/0", "value/1"],
    [{ field: "name", value: ["a\0b", "\ud800"] }, "value/0", "value/1"],
  ];
  const body = {
    fieldSort: [{ field: "size" }, { field: "name", order: "asc" }],
    filters: filters.map(([filter]) => filter),
    dateFilters: [{ field: "name", start: "2025-01-01T00:00:00" }, { field: "created" }],
  };
  assertEquals(placesOf(body, { limit: 1001, offset: -1 }), [
    ...["limit", "offset", "/fieldSort/0/field", "/fieldSort/1/order"],
    ...filters.flatMap(([, ...names], at) => names.map((name) => `/filters/${at}/${name}`)),
    ...["/dateFilters/0/field", "/dateFilters/0/start", "/dateFilters/1"],
  ]);
});

Deno.test("searchFileSets: only what names ids is a lookup, and never waits for searches", async () => {
  const [id, name] = ["id", "name"].map((field) => ({ field, value: ["a"] }));
  const cases: [Filter[], string][] = [
    [[], "search"],
    [[name], "search"],
    [[{ ...id, not: true }], "search"],
    [[{ ...id, operator: "LIKE" }], "search"],
    [[id], "lookup"],
    [[name, { ...id, operator: "IN" }], "lookup"],
  ];
  for (const [filters, expected] of cases) {
    const read: Database["read"] = <Row>(_: unknown, { lane }: ReadOptions = {}) => {
      assertEquals(lane, expected);
      return Promise.resolve([{ texts: null, found: 0, total: 0 } as Row]);
    };
    await searchFileSets({ read } as Database, { filters });
  }
});

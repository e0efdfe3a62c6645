import { assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError } from "../../../lib/errors.ts";
import { search } from "../../../lib/search/search.ts";
import type { SearchBody } from "../../../lib/types.ts";

Deno.test("search: every method writes what the interface has, and the empty one {}", () => {
  const body = search()
    .where("owner", "EQUALS", "ann", "bob")
    .whereNot("fileCount", "GREATER_THAN", 7)
    .where("description", "IS_NULL")
    .during("created", { start: new Date(0), end: "2026-01-01T00:00:00Z" })
    .notDuring("updated", { end: new Date(1000) })
    .sortBy("name")
    .sortBy("created", "DESC");
  assertEquals(JSON.parse(JSON.stringify(body)), {
    fieldSort: [{ field: "name", order: "ASC" }, { field: "created", order: "DESC" }],
    filters: [
      { field: "owner", operator: "EQUALS", value: ["ann", "bob"] },
      { field: "fileCount", operator: "GREATER_THAN", value: ["7"], not: true },
      { field: "description", operator: "IS_NULL", value: [] },
    ],
    dateFilters: [
      { field: "created", start: "1970-01-01T00:00:00.000Z", end: "2026-01-01T00:00:00Z" },
      { field: "updated", end: "1970-01-01T00:00:01.000Z", not: true },
    ],
  });
  assertEquals(JSON.stringify(search()), "{}");
  assertEquals(JSON.stringify(search({ filters: [], fieldSort: [] })), "{}");
});

Deno.test("search: never changes, so a beginning can be shared", () => {
  const begin = search().where("owner", "EQUALS", "ann");
  const one = begin.sortBy("name");
  const other = begin.sortBy("created");
  const sorts = [begin, one, other].map(({ fieldSort }) => fieldSort?.length);
  assertEquals(sorts, [undefined, 1, 1]);
  assertThrows(() => Object.assign(begin, { filters: [] }), TypeError);
  const original: SearchBody = { filters: [{ field: "name", value: ["a"] }] };
  const grown = search(original).where("name", "EQUALS", "b");
  assertEquals([original.filters?.length, grown.filters?.length], [1, 2]);
});

Deno.test("during: a Date that is none is refused by the name of its bound", () => {
  for (const name of ["start", "end"] as const) {
    const build = () => search().during("created", { [name]: new Date("no date") });
    const error = assertThrows(build, ConfigurationError, `${name} must be a valid date`);
    assertEquals((error as ConfigurationError).parameter, name);
  }
});

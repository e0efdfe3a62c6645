import { assertEquals } from "@std/assert";
import type { Database } from "../../../../server/store/database/database.ts";
import { searchFileSets } from "../../../../server/store/file_sets/search.ts";
import type { Filter } from "../../../../lib/types.ts";

Deno.test("searchFileSets: only what names ids is a lookup, and never waits for searches", async () => {
  const id = { field: "id", value: ["a"] };
  const name = { field: "name", value: ["a"] };
  const cases: [Filter[], string][] = [
    [[], "search"],
    [[name], "search"],
    [[{ ...id, not: true }], "search"],
    [[{ ...id, operator: "LIKE" }], "search"],
    [[id], "lookup"],
    [[name, { ...id, operator: "IN" }], "lookup"],
  ];
  for (const [filters, expected] of cases) {
    const lanes: unknown[] = [];
    const read = (_: unknown, options?: { readonly lane?: string }) => {
      lanes.push(options?.lane);
      return Promise.resolve([{ texts: null, found: 0, total: 0 }]);
    };
    await searchFileSets({ read } as unknown as Database, { filters });
    assertEquals(lanes, [expected]);
  }
});

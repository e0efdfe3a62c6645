import { assertEquals, assertRejects } from "@std/assert";
import { countRowFacets, loadFileSetSearch } from "../../../server/pages/file_set_search.ts";
import { createClient } from "../../../lib/client/client.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { createTestService } from "../../../lib/testing/service.ts";
import type { ShownSearch } from "../../../components/search/page_view.ts";

const FILE_SETS = ["a", "b", "c"].map((id) => ({
  id,
  name: id.repeat(2000),
  owner: id === "c" ? "Legal" : "Finance",
}));
const FINANCE = { filters: [{ field: "owner", operator: "EQUALS", value: ["Finance"] }] };

/** Loads a view from a service with these file sets, which rejects requests with some bodies. */
function load(view: ShownSearch, rejected?: string) {
  const service = createTestService({
    fileSets: FILE_SETS,
    faults: ({ body }) =>
      rejected !== undefined && String(body).includes(rejected)
        ? { kind: "status", status: 404 }
        : undefined,
  });
  const client = createClient({
    baseUrl: "https://service.example",
    token: null,
    fetch: service.fetch,
  });
  const { signal } = new AbortController();
  return loadFileSetSearch(
    { backend: client, services: { store: null } },
    view,
    { zone: "UTC", now: 0, signal },
  );
}

Deno.test("loadFileSetSearch: the page, how many there are in all, and the open file set", async () => {
  const { page, all, opened, isLate } = await load({ body: {}, limit: 2, offset: 1 });
  assertEquals(page.fileSets.map(({ id }) => id), ["b", "c"]);
  assertEquals(page.fileSets[0].name, "b".repeat(1000) + "…");
  assertEquals([page.pageContext.total, all, opened, isLate], [3, null, null, false]);
  // Without the conditions, if possible.
  assertEquals((await load({ body: FINANCE })).all, 3);
  const few = await load({ body: FINANCE }, "{}");
  assertEquals([few.page.fileSets.length, few.all], [2, null]);
  await assertRejects(() => load({ body: FINANCE }, "Finance"), HttpStatusError);
  const open = async (id: string, rejected?: string) =>
    (await load({ body: {}, limit: 1, open: id }, rejected)).opened?.id;
  assertEquals(await open("a", "EQUALS"), "a", "it is on the page");
  assertEquals([await open("c"), await open("gone")], ["c", undefined]);
  assertEquals(await open("c", "EQUALS"), undefined);
});

const NOW = Date.parse("2026-03-15T12:00:00Z");

Deno.test("countRowFacets: values by how often, dates by ranges, and numbers of files by thresholds", () => {
  /** The options of one facet of rows with these values. */
  const optionsOf = (field: string, values: readonly unknown[]) => {
    const rows = values.map((value, id) => ({ id: String(id), [field]: value }));
    const { facets } = countRowFacets(rows, { now: NOW });
    return facets.find((each) => each.field === field)!.options;
  };
  const owners = optionsOf("owner", ["b", "a", "c", "c", null, undefined]).map((option) =>
    `${"operator" in option.condition && option.condition.value?.[0]} ${option.count}`
  );
  assertEquals(owners, ["c 2", "undefined 2", "a 1", "b 1"], "ties in the order of their text");
  const countsOf = (field: string, values: readonly unknown[]) =>
    optionsOf(field, values).map(({ count }) => count);
  const days = ["2026-03-14", "2026-02-20", "2026-01-05", "2025-07-01", "2024-12-31"];
  const dates = [...days.map((day) => `${day}T10:00:00Z`), null, "soon"];
  // Last 7 and 30 days, this and last year, before.
  assertEquals(countsOf("updated", dates), [1, 2, 3, 1, 1]);
  assertEquals(countsOf("created", [null]), [0, 0, 0, 0, 0]);
  assertEquals(countsOf("fileCount", [0, 1, 9, 10, 100, 5000, null]), [1, 5, 3, 2, 1, 0]);
});

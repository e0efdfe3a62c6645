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
function load(view: ShownSearch, rejected = "nothing") {
  const { fetch } = createTestService({
    fileSets: FILE_SETS,
    faults: ({ body }) =>
      String(body).includes(rejected) ? { kind: "status", status: 404 } : undefined,
  });
  const backend = createClient({ baseUrl: "https://service.example", token: null, fetch });
  const options = { zone: "UTC", now: 0, signal: new AbortController().signal };
  return loadFileSetSearch({ backend, services: { store: null } }, view, options);
}

Deno.test("loadFileSetSearch: the page, its long texts cut, and how many there are in all", async () => {
  const { page, all, opened } = await load({ body: {}, limit: 2, offset: 1 });
  assertEquals(page.fileSets.map(({ id }) => id), ["b", "c"]);
  assertEquals(page.fileSets[0].name, "b".repeat(1000) + "…");
  assertEquals([page.pageContext.total, all, opened], [3, null, null]);
  assertEquals((await load({ body: FINANCE })).all, 3);
  const some = await load({ body: FINANCE }, "{}");
  assertEquals([some.page.fileSets.length, some.all], [2, null]);
  await assertRejects(() => load({ body: FINANCE }, "Finance"), HttpStatusError);
});

Deno.test("loadFileSetSearch: the open file set, on the page or elsewhere", async () => {
  const opened = async (open: string, rejected?: string) =>
    (await load({ body: {}, limit: 1, open }, rejected)).opened?.id;
  // The first is on the page.
  assertEquals([await opened("a", "EQUALS"), await opened("c")], ["a", "c"]);
  assertEquals([await opened("gone"), await opened("c", "EQUALS")], [undefined, undefined]);
});

/** The options of one facet of rows with these values. */
function optionsOf(field: string, values: readonly unknown[]) {
  const now = Date.parse("2026-03-15T12:00:00Z");
  const rows = values.map((value, id) => ({ id: String(id), [field]: value }));
  return countRowFacets(rows, { now }).facets.find((each) => each.field === field)!.options;
}

Deno.test("countRowFacets: values by frequency or text, dates by ranges, files from thresholds on", () => {
  const owners = optionsOf("owner", ["b", "a", "c", "c", null, undefined]);
  const counted = owners.map(({ condition, count }) =>
    `${"operator" in condition && condition.value?.[0]} ${count}`
  );
  assertEquals(counted, ["c 2", "undefined 2", "a 1", "b 1"]);
  const countsOf = (field: string, values: readonly unknown[]) =>
    optionsOf(field, values).map(({ count }) => count);
  const days = ["2026-03-14", "2026-02-20", "2026-01-05", "2025-07-01", "2024-12-31"];
  const dates = [...days.map((day) => `${day}T10:00:00Z`), null, "soon"];
  // Last 7 and 30 days, this and last year, before.
  assertEquals(countsOf("updated", dates), [1, 2, 3, 1, 1]);
  assertEquals(countsOf("created", [null]), [0, 0, 0, 0, 0]);
  assertEquals(countsOf("fileCount", [0, 1, 9, 10, 100, 5000, null]), [1, 5, 3, 2, 1, 0]);
});

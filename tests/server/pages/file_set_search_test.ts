import { assertEquals, assertRejects } from "@std/assert";
import { loadFileSetSearch } from "../../../server/pages/file_set_search.ts";
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
  const { fetch } = createTestService({
    fileSets: FILE_SETS,
    faults: ({ body }) =>
      rejected !== undefined && String(body).includes(rejected)
        ? { kind: "status", status: 404 }
        : undefined,
  });
  const backend = createClient({ baseUrl: "https://service.example", token: null, fetch });
  const { signal } = new AbortController();
  return loadFileSetSearch(
    { backend, services: { store: null } },
    view,
    { zone: "UTC", now: 0, signal },
  );
}

Deno.test("loadFileSetSearch: the page, how many there are in all, and the open file set", async () => {
  const { page, all, opened, isLate, facets } = await load({ body: {}, limit: 2, offset: 1 });
  assertEquals(page.fileSets.map(({ id }) => id), ["b", "c"]);
  assertEquals(page.fileSets[0].name, "b".repeat(1000) + "…");
  assertEquals([page.pageContext.total, all, opened, isLate], [3, null, null, false]);
  const owners = facets.facets.find(({ field }) => field === "owner")!.options;
  assertEquals([facets.rows, owners.map(({ count }) => count)], [2, [1, 1]]);
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

import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import {
  createTestService,
  makeFileSets,
  makeRuns,
  type Profile,
  type TestServiceOptions,
} from "../../../lib/testing/mod.ts";
import { newestFirst } from "../../../lib/runs/times.ts";
import type { ReportRun, SearchInput } from "../../../lib/types.ts";
import { TOKEN } from "../client/client_setup.ts";

const baseUrl = "https://service.example";

const PROFILES = ["documented", "vendor", "minimal", "strict"] as const;

/** A service of that kind, and how to ask it. */
function serviceOf(profile: Profile, options: TestServiceOptions = {}) {
  const service = createTestService({
    profile,
    fileSets: makeFileSets(250),
    runs: { 101: makeRuns(20) },
    ...options,
  });
  const headers = { "X-SERVICE-Developer-Token": TOKEN };
  return {
    search: (body: SearchInput, query = "") =>
      service.fetch(`${baseUrl}/api/files/v1/filesets/search${query}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }),
    history: (id: number) =>
      service.fetch(`${baseUrl}/api/content/v1/reportschedules/${id}/history`, { headers }),
  };
}

Deno.test("createTestService: an unknown profile is an error that lists the known", () => {
  const known = "profile must be one of documented, vendor, minimal, strict";
  for (const profile of ["vendors", "toString"] as unknown[] as Profile[]) {
    assertThrows(() => createTestService({ profile }), Error, known);
  }
});

Deno.test("createTestService: what is missing or forbidden, in each profile", async () => {
  const answers = await Promise.all(PROFILES.map(async (profile) => {
    const mayRead = (token: string, subject: unknown) => token === TOKEN && subject === 101;
    const { search, history } = serviceOf(profile, { mayRead });
    const [forbidden, known] = [await search({}), await history(101)];
    const missing = await serviceOf(profile).history(7);
    const type = forbidden.headers.get("content-type");
    return [known.status, forbidden.status, type, missing.status];
  }));
  assertEquals(answers, [
    [200, 403, "application/problem+json", 404],
    [200, 403, "text/plain", 403],
    [200, 403, "application/problem+json", 404],
    [200, 403, "application/problem+json", 403],
  ]);
});

Deno.test("createTestService: vendor's pages, totals, times, owners and ranges", async () => {
  const { search, history } = serviceOf("vendor");
  const pages = [];
  for (const offset of [0, 100, 200]) {
    const answer = await search({}, `?limit=1000&offset=${offset}`);
    pages.push((await answer.json()).pageContext);
  }
  assertEquals(pages, [
    { count: 100, totalCount: 250, offset: 0, next: btoa("100") },
    { count: 100, totalCount: 250, offset: 100, next: btoa("200") },
    { count: 50, totalCount: 250, offset: 200, next: btoa("200") },
  ]);
  const range = { start: "2025-01-01T00:01:00Z", end: "2025-01-01T00:02:00Z" };
  const { fileSets, pageContext } = await (await search({
    filters: [{ field: "file_count", operator: "LESS_THAN", value: ["9"] }],
    dateFilters: [{ field: "created", ...range }],
    fieldSort: [{ field: "created", order: null }],
  })).json();
  assertEquals(pageContext, { count: 2, totalCount: 2, offset: 0 });
  const { created, owner } = fileSets[0];
  assertEquals([created, owner], ["2025-01-01T00:01:00.000000Z", "1001"]);
  const runs: ReportRun[] = await (await history(101)).json();
  assertEquals(new Set(runs.map(({ id }) => id)).size, 20);
  assertNotEquals(runs, newestFirst(runs));
  assertNotEquals(runs.toReversed(), newestFirst(runs));
});

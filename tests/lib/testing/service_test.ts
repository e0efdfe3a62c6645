import { assertEquals } from "@std/assert";
import {
  createTestClock,
  createTestService,
  type Fault,
  makeFileSets,
  makeRuns,
} from "../../../lib/testing/mod.ts";
import { searchRows } from "../../../lib/testing/service.ts";
import { parseSearchQuery } from "../../../lib/search/search_query.ts";
import type { FieldSort } from "../../../lib/types.ts";
import { TOKEN } from "../client/client_setup.ts";

const baseUrl = "https://service.example";

Deno.test("createTestService: takes a Request, a URL or a text", async () => {
  const service = createTestService({ fileSets: makeFileSets(3), token: TOKEN });
  const url = `${baseUrl}/api/files/v1/filesets/search?limit=2`;
  const init = {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
    body: `{"filters":[{"field":"owner","value":["bob"]}]}`,
  };
  for (
    const answer of [
      service.fetch(url, init),
      service.fetch(new URL(url), init),
      service.fetch(new Request(url, init)),
      service.fetch(new Request(url), init),
    ]
  ) {
    const page = await (await answer).json();
    assertEquals(page.fileSets.map(({ owner }: { owner: string }) => owner), ["bob"]);
  }
  assertEquals(service.requests.map(({ limit }) => limit), [2, 2, 2, 2]);
  const body = `{"filters":[{"field":"owner","operator":"MATCHES"}]}`;
  assertEquals((await service.fetch(url, { ...init, body })).status, 400);
});

Deno.test("createTestService: half of a body comes, then the fault", async () => {
  const faults: Fault[] = [
    { kind: "stall", at: "body" },
    { kind: "reset", at: "body" },
    { kind: "truncated" },
  ];
  const clock = createTestClock();
  const options = { runs: { 101: makeRuns(1) }, runtime: clock.runtime };
  const service = createTestService({ ...options, faults: [undefined, ...faults] });
  const ask = () => service.fetch(`${baseUrl}/api/content/v1/reportschedules/101/history`);
  const text = await (await ask()).text();
  for (const fault of faults) {
    let [received, end] = ["", "whole"];
    try {
      for await (const bytes of (await ask()).body!) received += new TextDecoder().decode(bytes);
    } catch (error) {
      end = String(error);
    }
    assertEquals(received, text.slice(0, Math.ceil(text.length / 2)));
    assertEquals(end, fault.kind === "truncated" ? "whole" : "TypeError: connection reset");
  }
  assertEquals(clock.waits, [365 * 86_400_000]);
});

Deno.test("searchRows: sorted by its keys and then by id, what is missing first in ascending order", () => {
  const names = ["b", null, "a", undefined, "b"];
  const rows = makeFileSets(5).map((row, at) => ({ ...row, name: names[at]! }));
  const sorted = (...fieldSort: FieldSort[]) =>
    searchRows(rows.toReversed(), { fieldSort }).map(({ fileCount }) => fileCount);
  assertEquals(sorted({ field: "name", order: "ASC" }), [1, 3, 2, 0, 4]);
  assertEquals(sorted({ field: "name", order: "DESC" }), [0, 4, 2, 1, 3]);
  assertEquals(sorted({ field: "name" }, { field: "id", order: "DESC" }), [3, 1, 2, 4, 0]);
});

Deno.test("searchRows: compares as the embedded service does", () => {
  const found = (query: string) =>
    searchRows(makeFileSets(5), parseSearchQuery(query).body).map(({ fileCount }) => fileCount);
  assertEquals(["files:>2", "no:owner", "SET -files:1,3"].map(found), [[3, 4], [], [0, 2, 4]]);
  // The rows' times have milliseconds, and the bounds have none.
  const minutes = "created:2025-01-01T00:00:00Z..2025-01-01T00:02:00Z";
  assertEquals([found(minutes), found(`-${minutes}`)], [[0, 1], [2, 3, 4]]);
});

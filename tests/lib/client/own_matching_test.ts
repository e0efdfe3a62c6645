import { assertEquals, assertRejects } from "@std/assert";
import { createOwnMatching, matchingText } from "../../../lib/client/own_matching.ts";
import { DriftError, HttpStatusError } from "../../../lib/errors.ts";
import { makeFileSets, type TestServiceOptions } from "../../../lib/testing/mod.ts";
import type { SearchBody, SearchInput } from "../../../lib/types.ts";
import { setUp as setUpClient } from "./client_setup.ts";

const LIKE: SearchBody = { filters: [{ field: "name", operator: "LIKE", value: ["SET 12"] }] };
const DESC: SearchBody = { fieldSort: [{ field: "name", order: "DESC" }] };
const REFUSED = { kind: "status", status: 400 } as const;
const EQUALS: SearchBody = { filters: [{ field: "owner", value: ["bob"] }] };

/** A service that knows only `EQUALS` and `ASC`, and a way to search it with any token. */
function setUp(options: TestServiceOptions = {}) {
  const { client, clock, service } = setUpClient({ profile: "minimal", ...options }, {
    attempts: 1,
  });
  const matching = createOwnMatching(clock.runtime);
  const search = (body: SearchInput, options = {}, token = "a") =>
    matching(client, token).fileSets.search(body, options);
  /** The bodies that the service got meanwhile; reading all file sets is one. */
  async function bodiesOf(work: () => Promise<unknown>): Promise<string[]> {
    const before = service.requests.length;
    await work().catch(() => {});
    return [...new Set(service.requests.slice(before).map(({ body }) => body!))];
  }
  return { clock, service, search, bodiesOf };
}

Deno.test("createOwnMatching: filters and sorts where the service refuses an operator or an order", async () => {
  const { search } = setUp();
  const page = await search({ ...LIKE, ...DESC }, { limit: 2, offset: 1 });
  assertEquals(page.fileSets.map(({ name }) => name), ["File set 128", "File set 127"]);
  assertEquals(page.pageContext, { next: "3", offset: 1, limit: 2, total: 11 });
  const text =
    "The service does not know LIKE and DESC, so Docket filtered and sorted all 250 file sets itself";
  assertEquals(matchingText(page.matching!), text);
  assertEquals((await search(EQUALS)).matching, undefined);
});

Deno.test("createOwnMatching: a refusal is remembered for an hour, for that operator alone", async () => {
  const { clock, search, bodiesOf } = setUp();
  const all = JSON.stringify({});
  const equals = JSON.stringify({ filters: [{ ...LIKE.filters![0], operator: "EQUALS" }] });
  const first = [JSON.stringify(LIKE), equals, all];
  assertEquals(await bodiesOf(() => search(LIKE)), first);
  assertEquals(await bodiesOf(() => search(LIKE)), []);
  clock.advance(59 * 60_000);
  assertEquals(await bodiesOf(() => search(LIKE)), [all]);
  assertEquals((await bodiesOf(() => search(DESC)))[0], JSON.stringify(DESC));
  clock.advance(60_000);
  assertEquals((await bodiesOf(() => search(LIKE)))[0], JSON.stringify(LIKE));
});

Deno.test("createOwnMatching: a search that is refused for another reason stays refused", async () => {
  const count = { field: "fileCount", operator: "GREATER_THAN", value: ["many"] };
  const bad: [TestServiceOptions, SearchBody, object][] = [
    [{ faults: () => REFUSED }, LIKE, {}],
    // The operator is fine, but its value is not.
    [{ profile: "documented" }, { filters: [count] }, {}],
    [{ profile: "documented" }, { fieldSort: [{ field: "colour", order: "DESC" }] }, {}],
    [
      { profile: "documented", faults: ({ limit }) => limit > 500 ? REFUSED : undefined },
      LIKE,
      { limit: 1000 },
    ],
    [{}, { filters: [{ field: "name", operator: "MATCHES", value: ["a"] }] }, {}],
  ];
  for (const [options, body, page] of bad) {
    const { search, bodiesOf } = setUp(options);
    await assertRejects(() => search(body, page), HttpStatusError);
    const [sent] = await bodiesOf(() => search(body, page));
    assertEquals(sent, JSON.stringify(body));
  }
  const { search, bodiesOf } = setUp({ faults: () => ({ kind: "status", status: 500 }) });
  assertEquals(await bodiesOf(() => search(LIKE)), [JSON.stringify(LIKE)]);
});

Deno.test("createOwnMatching: of several operators, only the refused ones are named", async () => {
  const { service, search } = setUp({
    profile: "documented",
    faults: ({ body }) => body?.includes("DESC") ? REFUSED : undefined,
  });
  assertEquals((await search({ ...LIKE, ...DESC })).matching?.unknown, ["DESC"]);
  const before = service.requests.length;
  assertEquals((await search(LIKE)).matching, undefined);
  assertEquals(service.requests.length, before + 1);
});

Deno.test("createOwnMatching: a list is cached for five minutes, for its token alone", async () => {
  const { clock, service, search } = setUp();
  const total = async (token: string) => (await search(LIKE, {}, token)).pageContext.total;
  assertEquals(await total("a"), 11);
  service.fileSets.length = 0;
  assertEquals([await total("a"), await total("b")], [11, 0]);
  clock.advance(5 * 60_000);
  assertEquals(await total("a"), 0);
});

Deno.test("createOwnMatching: above 20,000 file sets there is an error with operator and total", async () => {
  const { service, search } = setUp({ fileSets: makeFileSets(20_001) });
  const message =
    "The service does not know LIKE, and has 20,001 file sets: Docket filters at most 20,000 itself";
  await assertRejects(() => search(LIKE), HttpStatusError, message);
  assertEquals(service.requests.length < 10, true);
  service.fileSets.pop();
  assertEquals((await search(LIKE)).matching?.read, 20_000);
});

Deno.test("createOwnMatching: file sets that come too late, or change meanwhile, are an error", async () => {
  const late = setUp({ fileSets: makeFileSets(5000), latencyMs: 4000 });
  const message =
    "The service does not know LIKE, and did not send its 5,000 file sets within 15 s, so that Docket";
  await assertRejects(() => late.search(LIKE), HttpStatusError, message);
  let changes = 1;
  const { search } = setUp({
    change: ({ fileSets }, { offset }) =>
      void (offset === 100 && changes-- > 0 && fileSets.shift()),
  });
  await assertRejects(() => search(LIKE), DriftError, "File sets changed");
  assertEquals((await search(LIKE)).matching?.read, 249);
});

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ConfigurationError, createClient, logHooks } from "../../../lib/mod.ts";
import type { Fault } from "../../../lib/testing/mod.ts";
import { failure, setUp, TOKEN } from "./client_setup.ts";

const BUSY: Fault = { kind: "status", status: 503, retryAfter: "1" };

Deno.test("hooks: report each attempt, answer and wait, in order", async () => {
  const told: unknown[] = [];
  const { client } = setUp({ faults: [BUSY, { kind: "reset", at: "headers" }], latencyMs: 5 }, {
    onRequest: ({ method, attempt }) => told.push([method, attempt]),
    onResponse: ({ status, ms }) => told.push([status, ms]),
    onRetry: ({ error, waitMs, attempt }) => told.push([error.kind, waitMs, attempt]),
  });
  await client.reportSchedules.history(101);
  assertEquals(told, [
    ["GET", 1],
    [503, 5],
    ["http", 1000, 1],
    ["GET", 2],
    ["network", 500, 2],
    ["GET", 3],
    [200, 5],
  ]);
});

Deno.test("hooks: nothing they report holds the token, not even before the call ends", async () => {
  const told: string[] = [];
  const tell = (what: unknown) =>
    told.push(Deno.inspect(what, { depth: 9 }) + JSON.stringify(what));
  const fault: Fault = {
    kind: "status",
    status: 503,
    headers: { "x-echo": TOKEN, "set-cookie": `a=${TOKEN}` },
    body: TOKEN,
  };
  const { client } = setUp({ faults: [fault] }, {
    onRequest: tell,
    onResponse: tell,
    onRetry: tell,
    retry: (error) => (tell(error), undefined),
  });
  await client.fileSets.search();
  assertEquals(told.length, 6);
  assertEquals(told.filter((text) => text.includes(TOKEN)), []);
});

Deno.test("hooks: what one throws is what the call fails with", async () => {
  const reason = new RangeError("stop here");
  const { client } = setUp({}, {
    onRequest() {
      throw reason;
    },
  });
  assertEquals(await assertRejects(async () => await client.fileSets.search()), reason);
});

Deno.test("retry: decides before the client, and leaves it the rest", async () => {
  const { client, service, clock } = setUp({ faults: () => ({ kind: "status", status: 404 }) }, {
    retry: (error, attempt) => error.kind === "http" && attempt < 3 ? 70 * attempt : undefined,
    attempts: 9,
  });
  await failure("http", client.fileSets.search());
  assertEquals([service.requests.length, clock.waits], [3, [70, 140]]);
  const atOnce = setUp({ faults: [BUSY] }, { retry: () => 0 });
  await atOnce.client.fileSets.search();
  assertEquals(atOnce.clock.waits, [0]);
  const none = setUp({ faults: () => BUSY }, { retry: () => false });
  await failure("http", none.client.fileSets.search());
  assertEquals(none.service.requests.length, 1);
  const bounded = setUp({ faults: () => BUSY }, { retry: () => 1, attempts: 2 });
  await failure("http", bounded.client.fileSets.search());
  assertEquals(bounded.service.requests.length, 2);
});

Deno.test("token: a function is called once more after a 401, with the rejected token", async () => {
  const asked: (string | undefined)[] = [];
  let current = "expired-token";
  const faults = ({ index }: { index: number }) => index === 2 ? BUSY : undefined;
  const { client, service } = setUp({ token: "fresh-token", faults }, {
    attempts: 2,
    token: (rejected) => {
      asked.push(rejected);
      if (rejected !== undefined) current = "fresh-token";
      return current;
    },
  });
  assertEquals((await client.fileSets.search()).fileSets.length, 100);
  assertEquals([asked, service.requests.length], [[undefined, "expired-token"], 2]);
  await client.fileSets.search();
  assertEquals(asked.slice(2), [undefined, undefined]);
});

Deno.test("token: a second 401 is the end, and a fixed token is not sent twice", async () => {
  const stale = setUp({ token: "other" }, { token: () => "stale-token" });
  const error = await failure("http", stale.client.fileSets.search());
  assertEquals([error.status, stale.service.requests.length, error.attempts.length], [401, 2, 2]);
  const fixed = setUp({ token: "other" });
  await failure("http", fixed.client.fileSets.search());
  assertEquals(fixed.service.requests.length, 1);
});

Deno.test("logHooks: a line for each attempt, answer and wait, without the token", async () => {
  const lines: string[] = [];
  const { client } = setUp(
    { faults: [{ ...BUSY, headers: { "x-request-id": "r1" }, body: TOKEN }] },
    logHooks((line) => lines.push(line)),
  );
  await client.fileSets.search({}, { limit: 250 });
  const url = "https://service.example/api/files/v1/filesets/search?limit=250&offset=0";
  assertEquals(lines, [
    `→ POST ${url}, attempt 1`,
    "← 503 in 0 ms, request id r1",
    "↻ in 1000 ms: status 503",
    `→ POST ${url}, attempt 2`,
    "← 200 in 0 ms",
  ]);
  assert(!lines.join().includes(TOKEN));
});

Deno.test("createClient: the value of a variable that is not set is missing", async () => {
  const baseUrl = "https://service.example";
  // Scripts silence the compiler: `Deno.env.get("DOCKET_TOKEN")!`.
  const unset = undefined as unknown as string;
  for (const token of [unset, ""]) {
    assertThrows(() => createClient({ baseUrl, token }), ConfigurationError, "token is missing");
  }
  const options = { baseUrl: unset, token: "secret" };
  assertThrows(() => createClient(options), ConfigurationError, "baseUrl is missing");
  const later = createClient({ baseUrl, token: () => unset }).fileSets.search();
  await assertRejects(() => later, ConfigurationError, "token is missing");
});

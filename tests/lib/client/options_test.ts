import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ConfigurationError, createClient, logHooks } from "../../../lib/mod.ts";
import type { Fault } from "../../../lib/testing/mod.ts";
import { setUp, TOKEN } from "./client_setup.ts";

const BUSY: Fault = { kind: "status", status: 503, retryAfter: "1" };

Deno.test("hooks: each attempt, answer and wait is told, in order", async () => {
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

Deno.test("hooks: nothing they are told holds the token, not even before the call ends", async () => {
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
  });
  await client.fileSets.search();
  assertEquals(told.length, 5);
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

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ConfigurationError, createClient } from "../../../lib/mod.ts";
import type { Fault } from "../../../lib/testing/mod.ts";
import { failure, setUp, TOKEN } from "./client_setup.ts";

const BUSY: Fault = { kind: "status", status: 503, retryAfter: "1" };

Deno.test("options of one call: attempts, timeouts and headers are its own", async () => {
  const { client, service } = setUp({ faults: () => BUSY }, { headers: { "x-trace": "client" } });
  const options = { attempts: 1, headers: { "X-Trace": "call", "x-other": "1" } };
  await failure("http", client.fileSets.search({}, options));
  assertEquals(service.requests.length, 1);
  const { headers } = service.requests[0];
  assertEquals([headers["x-trace"], headers["x-other"]], ["call", "1"]);
  await failure("http", client.reportSchedules.history(101));
  assertEquals(service.requests.length, 4);
  assertEquals(service.requests[1].headers["x-trace"], "client");
});

Deno.test("options of one call: its timeout and deadline count, for walks too", async () => {
  const { client } = setUp({ faults: () => ({ kind: "stall", at: "headers" }) });
  const short = { attempts: 1, timeoutMs: 50, deadlineMs: 60, headers: {} };
  assertEquals((await failure("timeout", client.fileSets.search({}, short))).limitMs, 50);
  const walk = client.fileSets.search({}, { deadlineMs: 70 }).walk();
  const error = await failure("timeout", Array.fromAsync(walk));
  assertEquals([error.scope, error.limitMs], ["deadline", 70]);
});

Deno.test("withOptions: another client with other options, and the first stays as it was", async () => {
  const { client, service } = setUp({ faults: [BUSY, BUSY] }, { headers: { "x-a": "1" } });
  const other = client.withOptions({ attempts: 1, headers: { "x-b": "2" }, token: "other-token" });
  await failure("http", other.fileSets.search());
  const [first] = service.requests;
  assertEquals([first.headers["x-a"], first.headers["x-b"]], ["1", "2"]);
  assertEquals(first.headers["x-service-developer-token"], "other-token");
  await client.fileSets.search();
  assertEquals(service.requests[2].headers["x-b"], undefined);
  assertEquals(service.requests[2].headers["x-service-developer-token"], TOKEN);
});

Deno.test("withOptions: a 429 pauses both clients and calls with options, but no other service", async () => {
  const sent: unknown[] = [];
  const others: Promise<unknown>[] = [];
  const { client, clock } = setUp({ faults: [{ kind: "status", status: 429, retryAfter: "60" }] }, {
    onRequest: ({ url }) => sent.push([new URL(url).host, clock.runtime.now() - began]),
    onRetry: () => {
      const other = client.withOptions({ headers: { "x-a": "1" } });
      const elsewhere = client.withOptions({ baseUrl: "https://other.example" });
      const calls = [other.fileSets.search(), client.fileSets.search({}, { attempts: 1 })];
      const atTheEnd = clock.runtime.sleep(59_999).then(() => client.fileSets.search());
      for (const call of [...calls, elsewhere.fileSets.search(), atTheEnd]) {
        others.push(Promise.resolve(call));
      }
    },
  });
  const began = clock.runtime.now();
  await client.fileSets.search();
  await Promise.all(others);
  const late = ["service.example", 60_000];
  assertEquals(sent, [["service.example", 0], ["other.example", 0], late, late, late, late]);
});

Deno.test("hooks: report each attempt, answer and wait, and never the token", async () => {
  const reported: string[] = [];
  const report = (what: unknown) =>
    void reported.push(Deno.inspect(what, { depth: 9 }) + JSON.stringify(what));
  const fault: Fault = {
    kind: "status",
    status: 503,
    headers: { "x-echo": TOKEN, "set-cookie": `a=${TOKEN}`, "x-request-id": "r1" },
    body: TOKEN,
  };
  const hooks = { onRequest: report, onResponse: report, onRetry: report };
  const { client } = setUp({ faults: [fault] }, hooks);
  await client.fileSets.search({}, { limit: 250 });
  assertEquals(reported.length, 5);
  assertEquals(reported.filter((text) => text.includes(TOKEN)), []);
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
  const rejectedTokens: (string | undefined)[] = [];
  let current = "expired-token";
  const faults = ({ index }: { index: number }) => index === 2 ? BUSY : undefined;
  const { client, service, clock } = setUp({ token: "fresh-token", faults }, {
    attempts: 2,
    token: (rejected) => {
      rejectedTokens.push(rejected);
      if (rejected !== undefined) current = "fresh-token";
      return current;
    },
  });
  assertEquals((await client.fileSets.search()).fileSets.length, 100);
  assertEquals([rejectedTokens, service.requests.length], [[undefined, "expired-token"], 2]);
  assertEquals(clock.waits, [0]);
  await client.fileSets.search();
  assertEquals(rejectedTokens.slice(2), [undefined, undefined]);
});

Deno.test("token: a second 401 is the end, and a fixed token is not sent twice", async () => {
  const stale = setUp({ token: "other" }, { token: () => "stale-token" });
  const error = await failure("http", stale.client.fileSets.search());
  assertEquals([error.status, stale.service.requests.length, error.attempts.length], [401, 2, 2]);
  const fixed = setUp({ token: "other" });
  await failure("http", fixed.client.fileSets.search());
  assertEquals(fixed.service.requests.length, 1);
});

Deno.test("createClient: the value of a variable that is not set is missing", async () => {
  const baseUrl = "https://service.example";
  // Scripts silence the compiler: `Deno.env.get("DOCKET_TOKEN")!`.
  const unset = undefined as unknown as string;
  assertThrows(() => createClient({ baseUrl, token: "" }), ConfigurationError, "token is missing");
  const options = { baseUrl: unset, token: "secret" };
  assertThrows(() => createClient(options), ConfigurationError, "baseUrl is missing");
  const later = createClient({ baseUrl, token: () => unset }).fileSets.search();
  await assertRejects(() => later, ConfigurationError, "token is missing");
});

import { getEventListeners } from "node:events";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createClient } from "../../../../lib/client/client.ts";
import type { Fault } from "../../../../lib/testing/mod.ts";
import { failure, setUp, TOKEN } from "../client_setup.ts";

function refuse(retryAfter?: string, status = 429): Fault {
  return { kind: "status", status, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

Deno.test("attempts: network faults, 408, 429 and 5xx are tried again, on both operations", async () => {
  const faults: Fault[] = [
    { kind: "reset", at: "headers" },
    { kind: "reset", at: "body" },
    { kind: "truncated" },
    refuse("1", 408),
    refuse("1", 429),
    refuse("1", 500),
    refuse("1", 503),
  ];
  for (const fault of faults) {
    const { client, service } = setUp({ faults: [fault, undefined, fault] });
    assertEquals((await client.fileSets.search()).fileSets.length, 100);
    assertEquals((await client.reportSchedules.history(101)).length, 100);
    assertEquals(service.requests.length, 4, fault.kind);
  }
});

Deno.test("attempts: no other status is tried again", async () => {
  for (const status of [400, 401, 403, 404, 409, 413, 415, 304]) {
    const { client, service } = setUp({ faults: () => refuse("1", status) });
    const error = await failure("http", client.fileSets.search());
    assertEquals([error.status, service.requests.length], [status, 1]);
  }
});

Deno.test("attempts: as many as the option says, and the error lists each", async () => {
  const { client, service } = setUp({
    faults: [
      refuse("2"),
      { kind: "reset", at: "headers" },
      refuse(undefined, 503),
      refuse("0", 500),
    ],
    latencyMs: 7,
  }, { attempts: 4 });
  const error = await failure("http", client.fileSets.search());
  assertEquals(service.requests.length, 4);
  assertEquals(error.attempts, [
    { status: 429, ms: 7, waitedMs: 2000, reason: "status 429" },
    { ms: 7, waitedMs: 500, reason: "the service could not be reached: connection reset" },
    { status: 503, ms: 7, waitedMs: 1000, reason: "status 503" },
    { status: 500, ms: 7, waitedMs: 0, reason: "status 500" },
  ]);
  assertStringIncludes(error.message, "after 4 attempts");
});

Deno.test("deadline: a wait that leaves nothing fails now, without an early attempt", async () => {
  for (const retryAfter of ["120", "2592000", "99999999999999"]) {
    const { client, service, clock } = setUp({ faults: () => refuse(retryAfter) });
    const error = await failure("http", client.fileSets.search());
    assertEquals([service.requests.length, clock.waits], [1, []]);
    assertStringIncludes(error.message, "past the deadline");
    assertEquals(error.attempts.length, 1);
  }
});

Deno.test("deadline: a call that would wait longer for another's pause fails now", async () => {
  const { client, service, clock } = setUp({ faults: [refuse("60")] });
  const first = client.fileSets.search().then();
  await new Promise((done) => clock.runtime.setTimer(() => done(undefined), 1000));
  const began = clock.runtime.now();
  const second = client.withOptions({ deadlineMs: 5000 }).fileSets.search();
  const error = await failure("timeout", second);
  assertEquals([error.scope, clock.runtime.now() - began], ["deadline", 0]);
  await first;
  assertEquals(service.requests.length, 2);
});

Deno.test("deadline: covers all attempts and the waiting together", async () => {
  const { client, service, clock } = setUp(
    { faults: () => ({ kind: "stall", at: "headers" }) },
    { attempts: 9, timeoutMs: 4000, deadlineMs: 10_000 },
  );
  const began = clock.runtime.now();
  const error = await failure("timeout", client.fileSets.search());
  assertEquals([error.scope, error.limitMs], ["deadline", 10_000]);
  assertStringIncludes(error.message, "within the deadline's limit of 10 s, after 3 attempts");
  assert(clock.runtime.now() - began <= 10_000, "ended after the deadline");
  assertEquals(service.requests.length, 3);
  assertEquals(error.attempts.length, 3);
});

Deno.test("timeout: a fetch that takes no notice of its signal does not hold the call", async () => {
  let late: ((response: Response) => void) | undefined;
  let cancelled = false;
  const { client, clock } = setUp({}, {
    attempts: 1,
    fetch: () => new Promise((resolve) => late = resolve),
  });
  const call = failure("timeout", client.fileSets.search());
  await new Promise((done) => setTimeout(done, 0));
  clock.advance(30_000);
  assertEquals((await call).scope, "attempt");
  late?.(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
  await new Promise((done) => setTimeout(done, 0));
  assert(cancelled, "the late answer was left open");
});

Deno.test("abort: before the start, in fetch, in the body, and in the wait between attempts", async () => {
  const stalls = (["headers", "body"] as const).map((at): Fault => ({ kind: "stall", at }));
  for (const fault of [...stalls, refuse("100")]) {
    const controller = new AbortController();
    const { client, service, clock } = setUp({ faults: () => fault });
    const call = failure("abort", client.fileSets.search({}, { signal: controller.signal }));
    // The clock stands still until something waits; one second later the caller gives up.
    clock.runtime.setTimer(() => controller.abort("enough"), 1000);
    const error = await call;
    assertEquals([error.name, error.cause, service.requests.length], ["AbortError", "enough", 1]);
    assertEquals(clock.pending, 0, "a timer was left");
    // Before the start, nothing is sent.
    const before = client.fileSets.search({}, { signal: controller.signal });
    assertEquals((await failure("abort", before)).attempts, []);
    assertEquals(service.requests.length, 1);
  }
});

Deno.test("abort: many calls on one signal leave no listener", async () => {
  const { signal } = new AbortController();
  const { client, clock } = setUp({ faults: ({ index }) => index % 3 ? undefined : refuse("1") });
  for (let call = 0; call < 20; call++) {
    await client.fileSets.search({}, { limit: 1, signal });
    if (call % 5 === 0) await Array.fromAsync(client.reportSchedules.history(101, { signal }));
  }
  assertEquals([getEventListeners(signal, "abort").length, clock.pending], [0, 0]);
});

Deno.test("answers: HTML, nothing and a wrong envelope are shape errors, sent once", async () => {
  const answers: [Fault, RegExp][] = [
    [{ kind: "html" }, /is not JSON$/],
    [{ kind: "text", text: "" }, /is empty/],
    [{ kind: "text", text: null, status: 204 }, /is empty/],
    [{ kind: "text", text: `{"fileSets":[]}` }, /pageContext .* is missing/],
  ];
  for (const [fault, message] of answers) {
    const { client, service } = setUp({ faults: () => fault });
    const error = await failure("shape", client.fileSets.search());
    assertMatch(error.message, message);
    assertEquals(service.requests.length, 1);
    assertEquals(error.attempts[0].status, fault.kind === "text" ? fault.status ?? 200 : 200);
  }
});

Deno.test("answers: of a huge error body only the beginning is read", async () => {
  let sent = 0;
  let cancelled = false;
  const { client } = setUp({}, {
    attempts: 1,
    fetch: () => {
      const body = new ReadableStream({
        pull(controller) {
          sent += 16_384;
          controller.enqueue(new TextEncoder().encode("x\n\t ".repeat(4096)));
        },
        cancel: () => void (cancelled = true),
      });
      return Promise.resolve(new Response(body, { status: 500 }));
    },
  });
  const error = await failure("http", client.fileSets.search());
  // In one line.
  assertEquals([error.excerpt, error.body.length], [`${"x ".repeat(250)}…`, 65_536]);
  assert(cancelled && sent < 200_000, `${sent} bytes were read`);
});

Deno.test("answers: a fetch that has already read the body is named as the mistake", async () => {
  const { client } = setUp({}, {
    fetch: async () => {
      const response = Response.json({ fileSets: [], pageContext: {} });
      await response.text();
      return response;
    },
  });
  const error = await failure("configuration", client.fileSets.search());
  assertEquals(error.parameter, "fetch");
  assertStringIncludes(error.message, "responses are unread");
});

Deno.test("answers: a problem document and a request id are in the error", async () => {
  const problem = {
    title: "Bad request",
    detail: "The search can't be used",
    requestId: "from-body",
    errors: [{ pointer: "/filters/0/field", detail: "Unknown field" }, "junk", { detail: 7 }],
  };
  const fault: Fault = { kind: "status", status: 400, body: JSON.stringify(problem) };
  const { client } = setUp({
    faults: [fault, { ...fault, headers: { "x-request-id": "from-header" } }],
  });
  const error = await failure("http", client.fileSets.search());
  assertEquals(error.requestId, "from-body");
  const errors = [{ pointer: "/filters/0/field", detail: "Unknown field" }];
  assertEquals(error.problem, { title: problem.title, detail: problem.detail, errors });
  assertStringIncludes(error.message, "status 400: The search can't be used");
  assertEquals((await failure("http", client.fileSets.search())).requestId, "from-header");
});

Deno.test("redirects: none is followed, not even within the service", async () => {
  for (
    const [status, location, target] of [
      [301, "/moved", "https://service.example/moved"],
      [307, "/moved?token=other#secret", "https://service.example/moved"],
      [308, "https://ann:password@elsewhere.example/", "https://elsewhere.example/"],
      [307, "http://service.example/", "http://service.example/"],
      [302, `//elsewhere.example/${TOKEN}`, "https://elsewhere.example/[redacted]"],
    ] as const
  ) {
    let calls = 0;
    const { client } = setUp({}, {
      fetch: () => {
        calls++;
        return Promise.resolve(new Response(null, { status, headers: { location } }));
      },
    });
    const error = await failure("http", client.fileSets.search());
    assertEquals([error.status, calls], [status, 1], location);
    assertStringIncludes(error.message, `it was redirected to ${target}; check baseUrl`);
  }
});

Deno.test("token: the failure of a function is reported, and nothing is sent", async () => {
  const broken = setUp({}, { token: () => Promise.reject(new Error("vault is closed")) });
  const error = await failure("configuration", broken.client.fileSets.search());
  assertEquals((error.cause as Error).message, "vault is closed");
  assertEquals(broken.service.requests.length, 0);
});

Deno.test("token: null sends none, and another header name is used", async () => {
  const none = setUp({}, { token: null });
  await none.client.fileSets.search();
  assertEquals(Object.keys(none.service.requests[0].headers).sort(), ["accept", "content-type"]);

  const renamed = setUp({}, { tokenHeader: "X-Acme-Token", headers: { "X-Trace": "abc" } });
  await renamed.client.fileSets.search();
  assertEquals(renamed.service.requests[0].headers["x-acme-token"], TOKEN);
  assertEquals(renamed.service.requests[0].headers["x-trace"], "abc");
});

Deno.test("errors: a 401 whose body stalls is a 401, and is not tried again", async () => {
  let [calls, isCancelled] = [0, false];
  const { client, clock } = setUp({}, {
    timeoutMs: 1000,
    // It takes no notice of the signal.
    fetch: () => {
      calls++;
      const headers = { "x-request-id": "stalled" };
      const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
      return Promise.resolve(new Response(body, { status: 401, headers }));
    },
  });
  const failed = failure("http", client.fileSets.search());
  await new Promise((resolve) => setTimeout(resolve, 0));
  clock.advance(1000);
  const { status, requestId } = await failed;
  assertEquals([status, requestId, calls, isCancelled], [401, "stalled", 1, true]);
});

Deno.test("errors: over a real network, distinguishes a closed port from a name without an address", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  for (
    const [baseUrl, reason] of [
      [`http://127.0.0.1:${port}`, "connection refused"],
      ["http://nowhere.invalid", "name not found"],
    ]
  ) {
    const client = createClient({ baseUrl, token: TOKEN, attempts: 1 });
    const error = await failure("network", client.fileSets.search());
    assertStringIncludes(error.message, `the service could not be reached: ${reason}`);
  }
});

Deno.test("errors: a Retry-After date is counted from the service's own clock", async () => {
  const headers = { date: "Thu, 15 Jan 2026 10:00:00 GMT" };
  const fault = { ...refuse("Thu, 15 Jan 2026 10:00:07 GMT", 503), headers } as Fault;
  const { client, clock } = setUp({ faults: [fault] });
  await client.fileSets.search();
  assertEquals(clock.waits, [7000]);
});

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { AnyDocketError } from "../../../lib/errors.ts";
import { createTestClock } from "../../../lib/testing/mod.ts";
import { createLog, logOf } from "../../../server/log/log.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { MAX_ANSWER_BYTES, TIMEOUTS, upstreamService } from "../../../server/backend/upstream.ts";
import {
  answering,
  type Behaviour,
  bomb,
  endless,
  SCHEDULE,
  slow,
  withUpstream,
} from "../../upstream.ts";

/** The service of an upstream, on a clock of its own, with the lines that it logs. */
function serviceAt(baseUrl: string, level: "info" | "debug" = "info") {
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog({ level, format: "json", write: (line) => lines.push(line) });
  const service = upstreamService(baseUrl, readSettings({}), clock.runtime);
  const caller = { requestId: "r-1", log: logOf({ requestId: "r-1" }, log) };
  return { clock, lines, caller, service, backend: service.backendFor("token", caller) };
}

async function failureOf(promise: PromiseLike<unknown>): Promise<AnyDocketError> {
  return await assertRejects(async () => await promise) as AnyDocketError;
}

Deno.test("upstreamService: a call carries its token and the id of its request", () =>
  withUpstream(async ({ baseUrl, asked }) => {
    const { backend, lines } = serviceAt(baseUrl);
    const page = await backend.fileSets.search({}, { limit: 2 });
    assertEquals(page.fileSets.length, 2);
    assertEquals((await backend.reportSchedules.history(SCHEDULE, { limit: 3 })).length, 3);
    assertEquals(asked.map(({ headers }) => headers.get("x-request-id")), ["r-1", "r-1"]);
    assertEquals(asked[0].headers.get("X-SERVICE-Developer-Token"), "token");
    assertEquals(lines, []);
  }));

Deno.test("upstreamService: an endless answer is cut off at its bound", () =>
  withUpstream(async (upstream) => {
    upstream.behave(endless({}, new Uint8Array(65_536).fill(32)));
    const { backend } = serviceAt(upstream.baseUrl);
    const error = await failureOf(backend.fileSets.search({}));
    assertEquals(error.kind, "shape");
    assertMatch(error.message, /longer than 32 MiB/);
    // What the sockets hold comes on top.
    const sent = upstream.sent / upstream.asked.length;
    assert(sent >= MAX_ANSWER_BYTES && sent < MAX_ANSWER_BYTES * 1.5, String(sent));
  }));

Deno.test("upstreamService: a compressed answer is measured after decompression", () =>
  withUpstream(async (upstream) => {
    upstream.behave(await bomb(MAX_ANSWER_BYTES * 2));
    const { backend } = serviceAt(upstream.baseUrl);
    const error = await failureOf(backend.reportSchedules.history(SCHEDULE));
    assertMatch(error.message, /longer than 32 MiB/);
    assert(upstream.sent < MAX_ANSWER_BYTES / 10);
  }));

for (
  const [what, behaviour] of [
    ["silent", (clock) => slow(clock, 2500)],
    ["dripping", (clock) => slow(clock, 1000, " ")],
  ] as [string, (clock: ReturnType<typeof createTestClock>) => Behaviour][]
) {
  Deno.test(`upstreamService: a ${what} service is given up within the time of a page`, () =>
    withUpstream(async (upstream) => {
      const { backend, clock, lines } = serviceAt(upstream.baseUrl);
      upstream.behave(behaviour(clock));
      const began = clock.runtime.now();
      const error = await failureOf(backend.fileSets.search({}));
      assertEquals(error.kind, "timeout");
      assertEquals(upstream.asked.length, 2);
      const { timeoutMs, deadlineMs } = TIMEOUTS.page;
      const took = clock.runtime.now() - began;
      assert(took >= timeoutMs * 2 - 1 && took <= deadlineMs + 2500, String(took));
      assertEquals(lines.length, 1);
    }));
}

Deno.test("upstreamService: a download waits for a pause of a minute, a page does not", () =>
  withUpstream(async (upstream) => {
    const { service, caller, backend, clock, lines } = serviceAt(upstream.baseUrl);
    const busy = answering(429, { "retry-after": "60" });
    upstream.behave(busy);
    const error = await failureOf(backend.fileSets.search({}));
    assertEquals([error.kind, upstream.asked.length, clock.waits], ["http", 1, []]);
    assertEquals(lines.map((line) => JSON.parse(line).status), [429]);

    upstream.behave(async (asked, connection) => {
      upstream.behave(null);
      await busy(asked, connection);
    });
    const patient = service.backendFor("token", { ...caller, timeouts: "download" });
    const page = patient.fileSets.search({});
    assertEquals((await page).fileSets.length, 100);
    assertEquals(clock.waits, [60_000]);
  }));

Deno.test("upstreamService: an error is one line of the log, without the service's text", () =>
  withUpstream(async (upstream) => {
    const { backend, lines } = serviceAt(upstream.baseUrl, "debug");
    const planted = "ann@example.com";
    const said = { "x-request-id": "up-7" };
    upstream.behave(answering(500, said, planted));
    await failureOf(backend.fileSets.search({ filters: [{ field: planted, value: [planted] }] }));
    upstream.behave(answering(403, { "x-request-id": `${planted} ${"x".repeat(200)}` }, planted));
    await failureOf(backend.fileSets.search({}));
    upstream.behave(answering(200, {}, `<p>${planted}`));
    await failureOf(backend.fileSets.search({}));
    upstream.behave(answering(404));
    await failureOf(backend.reportSchedules.history(1));
    upstream.listen(false);
    await failureOf(backend.fileSets.search({}));
    const message = "Upstream request failed";
    const requestId = "r-1";
    const expected = [
      { level: "error", kind: "http", status: 500, attempts: 3, upstreamRequestId: "up-7" },
      { level: "warn", kind: "http", status: 403, attempts: 1 },
      { level: "error", kind: "shape", status: 200, attempts: 1 },
      { level: "debug", kind: "http", status: 404, attempts: 1 },
      { level: "error", kind: "network", attempts: 3 },
    ];
    const logged = lines.map((line) => {
      const { time: _, reason, ...fields } = JSON.parse(line);
      const expected = { network: /refused/, shape: /the answer is not JSON$/ };
      assertMatch(reason ?? "", expected[fields.kind as keyof typeof expected] ?? /^$/);
      return fields;
    });
    assertEquals(logged, expected.map((line) => ({ ...line, message, requestId })));
  }));

Deno.test("upstreamService: calls of one request that fail alike are logged once", () =>
  withUpstream(async (upstream) => {
    const { service, caller, lines } = serviceAt(upstream.baseUrl);
    upstream.behave(answering(500));
    for (const times of [1, 2]) {
      const log = logOf({ requestId: `r-${times}` }, caller.log);
      const { fileSets, reportSchedules } = service.backendFor("token", { ...caller, log });
      await Promise.all([
        failureOf(fileSets.search({})),
        failureOf(fileSets.search({}, { limit: 1 })),
        failureOf(reportSchedules.history(SCHEDULE)),
      ]);
      assertEquals(lines.length, times);
    }
  }));

Deno.test("upstreamService: a client that leaves is no error of the service", () =>
  withUpstream(async (upstream) => {
    const { backend, lines } = serviceAt(upstream.baseUrl, "debug");
    const visitor = new AbortController();
    upstream.behave((_asked, { gone }) => {
      visitor.abort();
      return gone;
    });
    const error = await failureOf(backend.fileSets.search({}, { signal: visitor.signal }));
    assertEquals([error.kind, lines], ["abort", []]);
  }));

Deno.test("upstreamService: a token is not accepted only if the service refuses it", () =>
  withUpstream(async (upstream) => {
    const { service, caller } = serviceAt(upstream.baseUrl);
    assertEquals(await service.holderOf("token", caller), { name: null });
    for (const status of [401, 403]) {
      upstream.behave(answering(status));
      assertEquals(await service.holderOf("token", caller), null);
    }
    upstream.behave(answering(404));
    await assertRejects(() => service.holderOf("token", caller));
  }));

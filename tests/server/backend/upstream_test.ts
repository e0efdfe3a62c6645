import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import type { AnyDocketError } from "../../../lib/errors.ts";
import { MINUTE } from "../../../lib/time_units.ts";
import { createTestClock } from "../../../lib/testing/mod.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { errorStatus, type Purpose } from "../../../server/backend/service.ts";
import { TIMEOUTS, upstreamService } from "../../../server/backend/upstream.ts";
import { answering, bomb, SCHEDULE, slow, type Upstream, withUpstream } from "../../upstream.ts";

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The service of an upstream, on a clock of its own. */
function serviceAt(upstream: Upstream, env: Readonly<Record<string, string>> = {}) {
  const { baseUrl } = upstream;
  const clock = createTestClock();
  const settings = readSettings({ SERVICE_BASE_URL: baseUrl, ...env });
  const service = upstreamService(baseUrl, settings, clock.runtime);
  const caller = { requestId: "r-1" };
  const backend = service.backendFor("token", caller);
  /** The role of a token's holder; null if it is refused. */
  const role = async (token = "token", purpose?: Purpose) =>
    (await service.findHolder(token, caller, { purpose }))?.role ?? null;
  const read = async () => await backend.reportSchedules.history(SCHEDULE, { limit: 1 });
  return { upstream, clock, caller, service, backend, role, read };
}

const withService = (
  test: (world: ReturnType<typeof serviceAt>) => Promise<void>,
  env?: Readonly<Record<string, string>>,
) => withUpstream((upstream) => test(serviceAt(upstream, env)));

async function failureOf(promise: PromiseLike<unknown>): Promise<AnyDocketError> {
  return await assertRejects(async () => await promise) as AnyDocketError;
}

Deno.test("upstreamService: a compressed answer is measured after decompression", () =>
  withService(async ({ upstream, read }) => {
    upstream.behave(await bomb(MAX_ANSWER_BYTES * 2));
    const { kind, message } = await failureOf(read());
    assertEquals(kind, "shape");
    assertMatch(message, /longer than 32 MiB/);
    assertEquals(upstream.requests.length, 1, "it would only be as long again");
  }));

Deno.test("upstreamService: a dripping service is given up in time, and a page has its session", () =>
  withService(async ({ upstream, backend, role, clock }) => {
    upstream.behave(slow(clock, 1000, " "));
    let began = clock.runtime.now();
    const error = await failureOf(backend.fileSets.search({}));
    assertEquals([error.kind, upstream.requests.length], ["timeout", 2]);
    const { timeoutMs, deadlineMs } = TIMEOUTS.page;
    const took = clock.runtime.now() - began;
    assert(took >= timeoutMs * 2 - 1 && took <= deadlineMs + 2500, String(took));
    began = clock.runtime.now();
    assertEquals(await role("token", "session"), "user");
    const checked = clock.runtime.now() - began;
    assert(checked <= TIMEOUTS.check.deadlineMs + 2500, String(checked));
  }));

Deno.test("upstreamService: a download waits for a pause of a minute, a page does not", () =>
  withService(async ({ upstream, service, caller, read, clock }) => {
    const busy = answering(429, { "retry-after": "60" });
    upstream.behave(busy);
    const error = await failureOf(read());
    assertEquals([error.kind, upstream.requests.length, clock.waits], ["http", 1, []]);
    upstream.behave((request) => {
      upstream.behave(null);
      return busy(request);
    });
    const patient = service.backendFor("token", { ...caller, timeouts: "download" });
    assertEquals((await patient.fileSets.search({})).fileSets.length, 100);
    assertEquals(clock.waits, [60_000]);
  }));

Deno.test("upstreamService: says in the service's words only what is about the request", () =>
  withService(async ({ upstream, read }) => {
    for (const status of [400, 401, 403, 404, 405, 409, 422, 429, 500]) {
      upstream.behave(answering(status, {}, "planted words"));
      const error = await failureOf(read());
      const isQuoted = Deno.inspect(error).includes("planted words");
      assertEquals([errorStatus(error), isQuoted], [status, [400, 404, 409, 429].includes(status)]);
    }
  }));

Deno.test("upstreamService: is reached if it answers with any status below 500", () =>
  withService(async ({ upstream, service }) => {
    const reach = () => service.reach(AbortSignal.timeout(10_000));
    for (const status of [200, 302, 404, 499]) {
      upstream.behave(answering(status));
      await reach();
    }
    await assertRejects(() => service.reach(AbortSignal.abort()), DOMException);
    upstream.behave(answering(500));
    assertEquals(errorStatus(await assertRejects(reach, ProblemError)), 502);
  }));

Deno.test("upstreamService: a 401 refuses a token; a 403 or a 404 does not", () =>
  withService(async ({ upstream, service, caller, role }) => {
    const good = { name: null, role: "user", serviceToken: "good" };
    assertEquals(await service.findHolder("good", caller), good);
    for (const [status, expected] of [[403, "user"], [404, "user"], [401, null]] as const) {
      upstream.behave(answering(status));
      assertEquals(await role(`with-${status}`), expected);
    }
    for (const unsaid of [answering(200, {}, "<p>Sign in"), answering(400)]) {
      upstream.behave(unsaid);
      await assertRejects(() => role("unsaid"));
    }
  }));

Deno.test("upstreamService: a session's token is checked every five minutes, by what it may read", () =>
  withService(async ({ upstream, clock, role, read }) => {
    const isAccepted = async () => await role("token", "session") !== null;
    await read();
    clock.advance(4 * MINUTE);
    assertEquals([await isAccepted(), upstream.requests.length], [true, 1]);
    const { headers } = upstream.requests[0];
    assertEquals([headers.get("X-Token"), headers.get("x-request-id")], ["token", "r-1"]);
    clock.advance(MINUTE);
    assertEquals([await isAccepted(), upstream.requests.length], [true, 2]);
    assertMatch(upstream.requests[1].path, /\/101\/history/);
    upstream.behave(answering(401));
    clock.advance(5 * MINUTE);
    assertEquals([await isAccepted(), await isAccepted()], [false, false]);
    upstream.behave(null);
    assertEquals(await isAccepted(), true);
    // A schedule that is gone refuses no token, so it is asked about file sets.
    await read();
    clock.advance(5 * MINUTE);
    upstream.behave((request) => answering(request.url.includes("history") ? 404 : 401)(request));
    assertEquals(await isAccepted(), false);
    assertMatch(upstream.requests.at(-2)!.path, /\/history/);
  }, { SERVICE_TOKEN_HEADER: "X-Token" }));

Deno.test("upstreamService: a service that is down ends no session, and accepts nobody", () =>
  withService(async ({ upstream, role, clock }) => {
    upstream.behave(answering(400));
    const asks = async (token: string, purpose: Purpose) => {
      const before = upstream.requests.length;
      return [await role(token, purpose), upstream.requests.length - before];
    };
    assertEquals((await asks("token", "session"))[0], "user");
    assertEquals(await asks("token", "session"), ["user", 0]);
    clock.advance(MINUTE / 2);
    assertEquals(await asks("token", "session"), ["user", 1]);
    await assertRejects(() => role("other", "call"));
    await assertRejects(() => role("other", "sign-in"));
    assertEquals(await asks("other", "operation"), ["user", 0]);
    // Calls of one token ask about it once in five minutes.
    upstream.behave(null);
    for (const [waited, requests] of [[0, 1], [0, 0], [5 * MINUTE, 1]]) {
      clock.advance(waited);
      assertEquals(await asks("third", "call"), ["user", requests]);
    }
  }));

const OIDC = {
  ...{ OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "docket" },
  ...{ OIDC_CLIENT_SECRET: "s", OIDC_READERS: "all", OIDC_OPERATORS: "ops" },
};

Deno.test("upstreamService: the observer's token is an operator's, and others see no records", () =>
  withUpstream(async (upstream) => {
    const roles = async (env: Record<string, string>) => {
      const { role } = serviceAt(upstream, { OBSERVER_TOKEN: "own", ...env });
      return [await role("own"), await role("other")];
    };
    assertEquals(await roles({}), ["operator", "user"]);
    assertEquals(await roles({ RECORDS_READERS: "all" }), ["operator", "reader"]);
    assertEquals(await roles({ ...OIDC, RECORDS_READERS: "all" }), ["user", "user"]);
  }));

Deno.test("upstreamService: the observer's token lets in while the service fails, and no other", () =>
  withService(async ({ upstream, service, caller, role }) => {
    upstream.behave(answering(500));
    assertEquals(await role("own"), "operator");
    await assertRejects(() => role("other"));
    // Whoever hangs up, or is refused, learns nothing of the service's failing.
    const signal = AbortSignal.abort(new RangeError("Left"));
    await assertRejects(() => service.findHolder("own", caller, { signal }));
    upstream.behave(answering(400));
    await assertRejects(() => role("own"));
    upstream.behave(answering(401));
    assertEquals(await role("own"), null);
    // That the token is refused is no fault of the person.
    const { fileSets } = service.backendFor("own", caller);
    assertEquals(errorStatus(await failureOf(fileSets.search({}))), 502);
  }, { OBSERVER_TOKEN: "own" }));

Deno.test("upstreamService: RECORDS_READERS=all needs a good answer in the last five minutes", () =>
  withService(async ({ upstream, role, read, clock }) => {
    upstream.behave(answering(403));
    assertEquals(await role(), "user");
    upstream.behave(null);
    await read();
    assertEquals(await role(), "reader");
    upstream.behave(answering(403));
    clock.advance(5 * MINUTE);
    assertEquals(await role(), "user");
  }, { RECORDS_READERS: "all" }));

Deno.test("upstreamService: nothing that begins with docket_ is sent to the service", () =>
  withService(async ({ upstream, service, caller }) => {
    const unknown = "docket_unknown";
    assertEquals(await service.findHolder(unknown, caller), null);
    assertThrows(() => service.backendFor(unknown, caller), Error, "never sent");
    assertEquals(upstream.requests, []);
  }, { OBSERVER_TOKEN: "own" }));

Deno.test("upstreamService: who has a Docket token is told that OBSERVER_TOKEN is missing", async () => {
  const settings = readSettings({});
  const tokens = { find: () => Promise.resolve({ name: "Ada", role: "reader" }) };
  const { runtime } = createTestClock();
  const service = upstreamService("http://127.0.0.1:9", settings, runtime, { tokens } as never);
  const find = () => service.findHolder("docket_a", { requestId: "r-1" });
  const { problem } = await assertRejects(find, ProblemError, "OBSERVER_TOKEN");
  assertEquals(problem.status, 503);
});

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import type { AnyDocketError } from "../../../lib/errors.ts";
import { MINUTE } from "../../../lib/time_units.ts";
import { createTestClock } from "../../../lib/testing/mod.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { errorStatus } from "../../../server/backend/service.ts";
import { boundedFetch, TIMEOUTS, upstreamService } from "../../../server/backend/upstream.ts";
import { answering, bomb, inPieces, SCHEDULE, slow, withUpstream } from "../../upstream.ts";

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The service of an upstream, on a clock of its own. */
function serviceAt(baseUrl: string, env: Readonly<Record<string, string>> = {}) {
  const clock = createTestClock();
  const settings = readSettings({ SERVICE_BASE_URL: baseUrl, ...env });
  const service = upstreamService(baseUrl, settings, clock.runtime);
  const caller = { requestId: "r-1" };
  return { clock, caller, service, backend: service.backendFor("token", caller) };
}

async function failureOf(promise: PromiseLike<unknown>): Promise<AnyDocketError> {
  return await assertRejects(async () => await promise) as AnyDocketError;
}

Deno.test("upstreamService: a call carries its token and the id of its request", () =>
  withUpstream(async ({ baseUrl, asked }) => {
    const { backend } = serviceAt(baseUrl);
    const page = await backend.fileSets.search({}, { limit: 2 });
    assertEquals(page.fileSets.length, 2);
    assertEquals((await backend.reportSchedules.history(SCHEDULE, { limit: 3 })).length, 3);
    assertEquals(asked.map(({ headers }) => headers.get("x-request-id")), ["r-1", "r-1"]);
    assertEquals(asked[0].headers.get("X-SERVICE-Developer-Token"), "token");
  }));

Deno.test("upstreamService: a compressed answer is measured after decompression", () =>
  withUpstream(async (upstream) => {
    upstream.behave(await bomb(MAX_ANSWER_BYTES * 2));
    const { backend } = serviceAt(upstream.baseUrl);
    const error = await failureOf(backend.reportSchedules.history(SCHEDULE));
    assertEquals(error.kind, "shape");
    assertMatch(error.message, /longer than 32 MiB/);
    assertEquals(upstream.asked.length, 1, "it would only be as long again");
  }));

Deno.test("upstreamService: a dripping service is given up in time, and a page has its session", () =>
  withUpstream(async (upstream) => {
    const { backend, service, caller, clock } = serviceAt(upstream.baseUrl);
    upstream.behave(slow(clock, 1000, " "));
    let began = clock.runtime.now();
    const error = await failureOf(backend.fileSets.search({}));
    assertEquals([error.kind, upstream.asked.length], ["timeout", 2]);
    const { timeoutMs, deadlineMs } = TIMEOUTS.page;
    const took = clock.runtime.now() - began;
    assert(took >= timeoutMs * 2 - 1 && took <= deadlineMs + 2500, String(took));
    began = clock.runtime.now();
    const holder = await service.holderOf("token", caller, { purpose: "session" });
    assertEquals(holder?.role, "user");
    const checked = clock.runtime.now() - began;
    assert(checked <= TIMEOUTS.check.deadlineMs + 2500, String(checked));
  }));

Deno.test("upstreamService: a download waits for a pause of a minute, a page does not", () =>
  withUpstream(async (upstream) => {
    const { service, caller, backend, clock } = serviceAt(upstream.baseUrl);
    const busy = answering(429, { "retry-after": "60" });
    upstream.behave(busy);
    const error = await failureOf(backend.fileSets.search({}));
    assertEquals([error.kind, upstream.asked.length, clock.waits], ["http", 1, []]);

    upstream.behave((request) => {
      upstream.behave(null);
      return busy(request);
    });
    const patient = service.backendFor("token", { ...caller, timeouts: "download" });
    const page = patient.fileSets.search({});
    assertEquals((await page).fileSets.length, 100);
    assertEquals(clock.waits, [60_000]);
  }));

Deno.test("upstreamService: says in the service's words only what is about the request", () =>
  withUpstream(async (upstream) => {
    const { backend } = serviceAt(upstream.baseUrl);
    for (const status of [400, 401, 403, 404, 405, 409, 422, 429, 500]) {
      upstream.behave(answering(status, {}, "planted words"));
      const error = await failureOf(backend.reportSchedules.history(SCHEDULE));
      const isQuoted = Deno.inspect(error).includes("planted words");
      assertEquals([errorStatus(error), isQuoted], [status, [400, 404, 409, 429].includes(status)]);
    }
  }));

Deno.test("upstreamService: is reached if it answers with any status below 500", () =>
  withUpstream(async (upstream) => {
    const { service } = serviceAt(upstream.baseUrl);
    const reach = () => service.reach(AbortSignal.timeout(10_000));
    for (const status of [200, 302, 404, 499]) {
      upstream.behave(answering(status));
      await reach();
    }
    upstream.behave(answering(500));
    assertEquals(errorStatus(await assertRejects(reach, ProblemError)), 502);
  }));

Deno.test("upstreamService: a 401 refuses a token; a 403 or a 404 does not", () =>
  withUpstream(async (upstream) => {
    const { service, caller } = serviceAt(upstream.baseUrl);
    const user = (serviceToken: string) => ({ name: null, role: "user", serviceToken });
    assertEquals(await service.holderOf("good", caller), user("good"));
    for (const status of [403, 404]) {
      upstream.behave(answering(status));
      assertEquals(await service.holderOf(`with-${status}`, caller), user(`with-${status}`));
    }
    upstream.behave(answering(401));
    assertEquals(await service.holderOf("refused", caller), null);
    for (const unsaid of [answering(200, {}, "<p>Sign in"), answering(400)]) {
      upstream.behave(unsaid);
      await assertRejects(() => service.holderOf("unsaid", caller));
    }
  }));

Deno.test("upstreamService: a session's token is checked every five minutes, by what it may read", () =>
  withUpstream(async (upstream) => {
    const { service, clock, caller, backend } = serviceAt(upstream.baseUrl);
    const isAccepted = async () =>
      await service.holderOf("token", caller, { purpose: "session" }) !== null;
    await backend.reportSchedules.history(SCHEDULE, { limit: 1 });
    clock.advance(4 * MINUTE);
    assertEquals([await isAccepted(), upstream.asked.length], [true, 1]);
    clock.advance(MINUTE);
    assertEquals([await isAccepted(), upstream.asked.length], [true, 2]);
    assertStringIncludes(upstream.asked[1].path, `/${SCHEDULE}/history`);
    upstream.behave(answering(401));
    clock.advance(5 * MINUTE);
    assertEquals(await isAccepted(), false);
    assertEquals(await isAccepted(), false);
    upstream.behave(null);
    assertEquals(await isAccepted(), true);
    // A schedule that is gone refuses no token, so it is asked about file sets.
    clock.advance(5 * MINUTE);
    upstream.behave((request) => answering(request.url.includes("history") ? 404 : 401)(request));
    assertEquals(await isAccepted(), false);
  }));

Deno.test("upstreamService: a service that is down ends no session, and accepts nobody", () =>
  withUpstream(async (upstream) => {
    const { service, caller, clock } = serviceAt(upstream.baseUrl);
    upstream.behave(answering(400));
    const role = async () =>
      (await service.holderOf("token", caller, { purpose: "session" }))?.role;
    assertEquals(await role(), "user");
    const { length } = upstream.asked;
    assertEquals([await role(), upstream.asked.length], ["user", length]);
    clock.advance(MINUTE / 2);
    assertEquals([await role(), upstream.asked.length], ["user", length + 1]);
    for (const purpose of ["call", "sign-in"] as const) {
      await assertRejects(() => service.holderOf("other", caller, { purpose }));
    }
    // Calls of one token ask about it once in five minutes.
    upstream.behave(null);
    const before = upstream.asked.length;
    for (const wait of [0, 0, 5 * MINUTE]) {
      clock.advance(wait);
      await service.holderOf("third", caller, { purpose: "call" });
    }
    assertEquals(upstream.asked.length, before + 2);
  }));

Deno.test("upstreamService: the observer's token is an operator's, and others see no records", () =>
  withUpstream(async (upstream) => {
    const roles = async (env: Record<string, string>) => {
      const { service, caller } = serviceAt(upstream.baseUrl, { OBSERVER_TOKEN: "own", ...env });
      return [
        (await service.holderOf("own", caller))?.role,
        (await service.holderOf("other", caller))?.role,
      ];
    };
    assertEquals(await roles({}), ["operator", "user"]);
    assertEquals(await roles({ RECORDS_READERS: "all" }), ["operator", "reader"]);
    const oidc = {
      ...{ OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "docket" },
      ...{ OIDC_CLIENT_SECRET: "s", OIDC_READERS: "all", OIDC_OPERATORS: "ops" },
    };
    assertEquals(await roles({ ...oidc, RECORDS_READERS: "all" }), ["user", "user"]);
  }));

Deno.test("upstreamService: the observer's token lets in while the service fails, and no other", () =>
  withUpstream(async (upstream) => {
    const { service, caller } = serviceAt(upstream.baseUrl, { OBSERVER_TOKEN: "own" });
    upstream.behave(answering(500));
    assertEquals((await service.holderOf("own", caller))?.role, "operator");
    await assertRejects(async () => await service.holderOf("other", caller));
    // Whoever hangs up, or is refused, learns nothing of the service's failing.
    const left = AbortSignal.abort(new RangeError("Left"));
    await assertRejects(async () => await service.holderOf("own", caller, { signal: left }));
    upstream.behave(answering(400));
    await assertRejects(async () => await service.holderOf("own", caller));
    upstream.behave(answering(401));
    assertEquals(await service.holderOf("own", caller), null);
    // That the token is refused is no fault of the person.
    const { fileSets } = service.backendFor("own", caller);
    const error = await assertRejects(async () => await fileSets.search({}), ProblemError);
    assertEquals(error.problem.status, 502);
  }));

Deno.test("upstreamService: RECORDS_READERS=all needs a good answer in the last five minutes", () =>
  withUpstream(async (upstream) => {
    const { service, caller, clock } = serviceAt(upstream.baseUrl, { RECORDS_READERS: "all" });
    const role = async () => (await service.holderOf("token", caller))?.role;
    upstream.behave(answering(403));
    assertEquals(await role(), "user");
    upstream.behave(null);
    await service.backendFor("token", caller).reportSchedules.history(SCHEDULE);
    assertEquals(await role(), "reader");
    upstream.behave(answering(403));
    clock.advance(5 * MINUTE);
    assertEquals(await role(), "user");
  }));

Deno.test("upstreamService: nothing that begins with docket_ is sent to the service", () =>
  withUpstream(async (upstream) => {
    const { service, caller } = serviceAt(upstream.baseUrl, { OBSERVER_TOKEN: "own" });
    const unknown = "docket_unknown";
    assertEquals(await service.holderOf(unknown, caller), null);
    assertEquals(await service.serviceTokenOf(unknown), null);
    assertThrows(() => service.backendFor(unknown, caller), Error, "never sent");
    assertEquals(upstream.asked, []);
  }));

Deno.test("boundedFetch: an answer at the limit is complete, one byte more is refused", () =>
  withUpstream(async (upstream) => {
    const textWithin = async (most: number) =>
      await (await boundedFetch(most)(upstream.baseUrl, {})).text();
    const text = "x".repeat(200_000);
    upstream.behave(inPieces(() => [text.slice(0, 7), text.slice(7)]));
    assertEquals(await textWithin(text.length), text);
    await assertRejects(() => textWithin(text.length - 1));
    upstream.behave(inPieces(() => []));
    assertEquals(await textWithin(0), "");
    // Errors are left as they are.
    upstream.behave(answering(500, {}, "broken"));
    assertEquals(await textWithin(0), "broken");
  }));

Deno.test("boundedFetch: a small chunk holds no more memory than its bytes", () =>
  withUpstream(async (upstream) => {
    upstream.behave(inPieces(() => Array<string>(50).fill("x")));
    const { body } = await boundedFetch(1_000_000)(upstream.baseUrl, {});
    for await (const chunk of body!) assertEquals(chunk.buffer.byteLength, chunk.byteLength);
  }));

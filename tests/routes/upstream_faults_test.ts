/** The ways in which an upstream fails, and how pages, files, signing in and the API answer to each. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createTestClock, type TestClock } from "../../lib/testing/mod.ts";
import { createLog } from "../../server/log/log.ts";
import { routeAt } from "../../server/actions/roles.ts";
import { TIMEOUTS } from "../../server/backend/upstream.ts";
import {
  type App,
  assertAnswer,
  head,
  HEADER,
  ORIGIN,
  type Person,
  sessionCookie,
  signIn,
  withApp,
  withServer,
} from "../app.ts";
import {
  afterFirstPage,
  answering,
  type Behaviour,
  breakingOff,
  inPieces,
  SCHEDULE,
  slow,
  type Upstream,
  withUpstream,
} from "../upstream.ts";

const TOKEN = "planted-token-of-a-person";

const PAGES = [
  "/filesets?q=name:planted-words+created:2026-01-01T00:00:00Z..&new-field=owner&open=x",
  `/schedules/${SCHEDULE}?q=status:success`,
  `/schedules/${SCHEDULE}/runs/1`,
];
const FILES = [`/schedules/${SCHEDULE}/export?format=csv`, "/filesets/export?format=ndjson"];
const HISTORY = `/api/content/v1/reportschedules/${SCHEDULE}/history`;

/** What an upstream does, null for not even listening; and the status of pages and of the API. */
type Fault = readonly [behaviour: (clock: TestClock) => Behaviour | null, status: number];

const breaksOff = breakingOff(`{"fileSets":[{"id":"a"`);
const endless = inPieces(function* () {
  for (;;) yield " ".repeat(65_536);
});

const FAULTS: Readonly<Record<string, Fault>> = {
  "silent": [(clock) => slow(clock, 2500), 504],
  "refusing connections": [() => null, 502],
  "hanging up amid an answer": [() => breaksOff, 502],
  "answering without an end": [() => endless, 502],
  "answering 401": [() => answering(401), 401],
  "answering 403": [() => answering(403), 403],
  "answering 429 for a minute": [() => answering(429, { "retry-after": "60" }), 429],
  "answering 500": [() => answering(500), 502],
};

/** A visitor of an app whose service is the upstream, on a clock that only the service moves. */
async function withVisitor(
  test: (
    visitor: Person & {
      readonly clock: TestClock;
      readonly upstream: Upstream;
      readonly lines: string[];
    },
  ) => Promise<void>,
): Promise<void> {
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", write: (line) => lines.push(line) });
  await withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl }, async (app) => {
      await app.services.findHolder(TOKEN, { requestId: "r-0" });
      await test({ clock, upstream, lines, ...await signIn(app, TOKEN) });
    }, { log, runtime: clock.runtime })
  );
}

function enter(app: App, next: string): Promise<Response> {
  const body = new URLSearchParams({ token: TOKEN, next });
  return app.fetch(new Request(`${ORIGIN}/sign-in`, { method: "POST", body }));
}

for (const [name, [behaviour, status]] of Object.entries(FAULTS)) {
  Deno.test(`[e2e] an upstream ${name}: everything says it in time, and recovers`, () =>
    withVisitor(async ({ clock, upstream, lines, app, get, fetch }) => {
      const faulty = behaviour(clock);
      if (faulty) upstream.behave(faulty);
      else await upstream.listen(false);
      const retryAfter = status === 429 ? "60" : null;
      for (const path of PAGES) {
        const began = clock.runtime.now();
        const response = await fetch(path, { headers: { "x-request-id": "r-1" } });
        const html = await response.text();
        if (status === 401 && path !== PAGES[0]) {
          // The first 401 ended the session.
          assertEquals(response.status, 303, path);
          continue;
        }
        assertEquals([response.status, html.includes('role="alert"')], [status, true], path);
        if (status === 403 && path === PAGES[0]) assertMatch(html, /not let you read file sets/);
        assertEquals(/<a href[^>]*>Sign in again/.test(html), status === 401, path);
        assertEquals(/>Try again</.test(html), status >= 500 || status === 429, path);
        assertEquals(response.headers.get("retry-after"), retryAfter);
        const isOver = /docket_session_8000=;.*Expires=Thu, 01 Jan 1970/;
        assertEquals(isOver.test(response.headers.getSetCookie().join()), status === 401);
        assertEquals(html.includes(TOKEN), false);
        const took = clock.runtime.now() - began;
        assert(took <= TIMEOUTS.page.deadlineMs + 5000, `${path}: ${took} ms`);
      }
      const faults = lines.map((line) => JSON.parse(line))
        .filter(({ message }) => message !== "Request");
      const routes = PAGES.map((path) => routeAt(new URL(path, ORIGIN).pathname));
      assertEquals(faults.map(({ route }) => route), status < 500 ? [] : routes);
      assert(faults.every(({ requestId }) => requestId === "r-1"));
      assertEquals(/planted|example\.com|q=/.test(lines.join()), false);
      for (const path of FILES) {
        const answer = await get(path);
        const type = answer.headers.get("content-type");
        const failed = [status, "application/problem+json"];
        assertEquals([answer.status, type], status === 401 ? [303, null] : failed, path);
      }
      const api = await app.fetch(new Request(ORIGIN + HISTORY, { headers: { [HEADER]: TOKEN } }));
      assertEquals((await api.json()).status, status);
      assertEquals(api.headers.get("retry-after"), retryAfter);
      const next = "/filesets?q=name:x&limit=25";
      const refused = await enter(app, next);
      const html = await refused.text();
      // Who may not read file sets gets in; where to go is preserved.
      assertEquals(refused.status, status === 403 ? 303 : status);
      assertEquals(html.includes(next.replaceAll("&", "&amp;")), status !== 403);
      assertEquals(html.includes(TOKEN), false);

      if (faulty) upstream.behave(null);
      else await upstream.listen(true);
      for (const path of [...PAGES, ...FILES, HISTORY]) {
        const { status, text } = await get(path);
        assert(path.includes("/runs/") || status === 200, `${path}: ${status} ${text}`);
      }
      const entered = await enter(app, next);
      assertEquals([entered.status, entered.headers.get("location")], [303, next]);
    }));
}

Deno.test("[e2e] an upstream that fails amid a download: the file never looks whole", () =>
  withUpstream((upstream) =>
    withServer({ SERVICE_BASE_URL: upstream.baseUrl }, async (server) => {
      const cookie = await sessionCookie(server, server.origin, TOKEN);
      for (const behaviour of [breaksOff, answering(500)]) {
        upstream.behave(afterFirstPage(upstream, behaviour));
        for (const format of ["ndjson", "csv", "json"]) {
          const path = `${server.origin}/filesets/export?format=${format}`;
          const response = await fetch(path, { headers: { cookie } });
          assertEquals(response.status, 200, path);
          await assertRejects(() => response.text(), TypeError, undefined, path);
        }
      }
    }, {
      runtime: createTestClock().runtime,
      log: createLog({ level: "error", format: "json", write() {} }),
    })
  ));

Deno.test("[e2e] upstream: a 404 is an unknown schedule, and is not logged as an error", () =>
  withVisitor(async ({ app, upstream, lines, get }) => {
    upstream.behave(answering(404));
    for (const path of PAGES) {
      const words = path === PAGES[0] ? "The service has no file sets" : "Not found";
      assertAnswer(await get(path), 404, words);
    }
    assertAnswer(await get("/nowhere"), 404, "The address may be mistyped");
    assertEquals((await head(enter(app, "/"))).status, 303);
    assertEquals(lines, []);
  }));

Deno.test("[e2e] POST /schedules/:id/plan: says that the upstream refuses, not that Docket failed", () =>
  withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl, OBSERVER_TOKEN: TOKEN }, async (app) => {
      const { post } = await signIn(app, TOKEN);
      const form = { cron: "0 6 * * *", zone: "UTC", grace: "5", name: "Ada", action: "confirm" };
      for (const [answered, status] of [[403, 403], [429, 429], [500, 502]]) {
        upstream.behave(answering(answered));
        const refused = await post(`/schedules/${SCHEDULE}/plan`, form);
        assertAnswer(refused, status, "answered with status");
      }
    })
  ));

Deno.test("[e2e] upstream: a client that leaves causes no error and no log line", () =>
  withVisitor(async ({ upstream, lines, fetch }) => {
    for (const path of [...PAGES, ...FILES]) {
      const visitor = new AbortController();
      upstream.behave(() => {
        visitor.abort();
        return new Promise(() => {});
      });
      await head(fetch(path, { signal: visitor.signal }));
    }
    assertEquals(lines, []);
  }));

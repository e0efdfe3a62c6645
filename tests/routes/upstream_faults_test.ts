/** The ways in which an upstream fails, and how pages, files, signing in and the API answer to each. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createTestClock, type TestClock } from "../../lib/testing/mod.ts";
import { createLog } from "../../server/log/log.ts";
import { routePattern } from "../../server/http/paths.ts";
import { TIMEOUTS } from "../../server/backend/upstream.ts";
import { type App, HEADER, ORIGIN, sessionCookie, withApp, withServer } from "../app.ts";
import {
  afterFirstPage,
  answering,
  type Behaviour,
  breakingOff,
  chunk,
  endless,
  SCHEDULE,
  slow,
  type Upstream,
  withUpstream,
} from "../upstream.ts";

const TOKEN = "planted-token-of-a-person";

const ID = "00000000-0000-4000-8000-000000000001";
const PAGES = [
  "/filesets?q=name:planted-words+created:2026-01-01T00:00:00Z..&new-field=owner&open=x",
  `/filesets/${ID}`,
  `/schedules/${SCHEDULE}?q=status:success`,
  `/schedules/${SCHEDULE}/runs/1`,
  `/schedules/${SCHEDULE}/plan`,
];
const FILES = [`/schedules/${SCHEDULE}/export?format=csv`, "/filesets/export?format=ndjson"];
const HISTORY = `/api/content/v1/reportschedules/${SCHEDULE}/history`;

const NO_FILE_SETS = /The service (has no|does not let you read) file sets/;

/** A way to fail, and how a page and the API answer to it. */
interface FaultCase {
  readonly name: string;
  /** What the service does; null is not even listening. */
  readonly behaviour: (clock: TestClock) => Behaviour | null;
  readonly status: number;
  /** What the page says. */
  readonly words: RegExp;
}

const unexpected = /The service sent an unexpected response/;
const unreachable = /The service can(?:&#39;|')t be reached/;
const late = /The service took too long/;

const FAULTS: readonly FaultCase[] = [
  { name: "silent", behaviour: (clock) => slow(clock, 2500), status: 504, words: late },
  { name: "refusing connections", behaviour: () => null, status: 502, words: unreachable },
  {
    name: "hanging up amid an answer",
    behaviour: () => breakingOff(`{"fileSets":[{"id":"a"`),
    status: 502,
    words: unreachable,
  },
  {
    name: "answering without an end",
    behaviour: () => endless({ "transfer-encoding": "chunked" }, chunk(" ".repeat(65_536))),
    status: 502,
    words: unexpected,
  },
  {
    name: "answering 401",
    behaviour: () => answering(401),
    status: 401,
    words: /no longer signed in/,
  },
  {
    name: "answering 403",
    behaviour: () => answering(403),
    status: 403,
    words: /Access denied/,
  },
  {
    name: "answering 429 for a minute",
    behaviour: () => answering(429, { "retry-after": "60" }),
    status: 429,
    words: /service is busy.*Try again in 60 s\./s,
  },
  {
    name: "answering 500",
    behaviour: () => answering(500),
    status: 502,
    words: /The service failed/,
  },
];

/** A visitor of an app whose service is the upstream, on a clock that only the service moves. */
async function withVisitor(
  test: (
    visitor: {
      readonly clock: TestClock;
      readonly upstream: Upstream;
      readonly lines: string[];
      readonly app: App;
      readonly cookie: string;
      readonly get: (path: string) => Promise<Response>;
    },
  ) => Promise<void>,
): Promise<void> {
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", write: (line) => lines.push(line) });
  await withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl }, async (app) => {
      const cookie = await sessionCookie(app, ORIGIN, TOKEN);
      await app.services.holderOf(TOKEN, { requestId: "r-0" });
      const get = (path: string) =>
        app.fetch(new Request(ORIGIN + path, { headers: { cookie, "x-request-id": "r-1" } }));
      await test({ clock, upstream, lines, app, cookie, get });
    }, { log, runtime: clock.runtime })
  );
}

function signIn(app: App, next: string): Promise<Response> {
  const body = new URLSearchParams({ token: TOKEN, next });
  return app.fetch(new Request(`${ORIGIN}/sign-in`, { method: "POST", body }));
}

/** Every answer of a signed-in person's is good. */
async function assertWell(get: (path: string) => Promise<Response>): Promise<void> {
  for (const path of [...PAGES, ...FILES, HISTORY]) {
    const response = await get(path);
    const text = await response.text();
    const isMissing = path.includes("/runs/") || path === `/filesets/${ID}`;
    assert(isMissing || response.status === 200, `${path}: ${response.status} ${text}`);
  }
}

for (const { name, behaviour, status, words } of FAULTS) {
  Deno.test(`[e2e] an upstream ${name}: everything says it in time, and recovers`, () =>
    withVisitor(async ({ clock, upstream, lines, app, cookie, get }) => {
      const faulty = behaviour(clock);
      if (faulty) upstream.behave(faulty);
      else upstream.listen(false);
      for (const path of PAGES) {
        const began = clock.runtime.now();
        const response = await get(path);
        const html = await response.text();
        if (status === 401 && path !== PAGES[0]) {
          // The first 401 ended the session.
          assertEquals(response.status, 303, path);
          continue;
        }
        assertEquals(response.status, status, path);
        assertMatch(html, status === 403 && isFileSets(path) ? NO_FILE_SETS : words);
        assertMatch(html, /role="alert"/);
        assertMatch(html, status === 401 ? /<a href data-own[^>]*>Sign in again/ : /./);
        const isPassing = status >= 500 || status === 429;
        assertEquals(/>Try again</.test(html), isPassing, path);
        assertEquals(response.headers.get("retry-after"), status === 429 ? "60" : null);
        assertEquals(isDropped(response), status === 401, path);
        assertEquals(html.includes(TOKEN), false);
        const took = clock.runtime.now() - began;
        assert(took <= TIMEOUTS.page.deadlineMs + 5000, `${path}: ${took} ms`);
      }
      const faults = lines.map((line) => JSON.parse(line))
        .filter(({ message }) => message !== "Request");
      const routes = status < 500
        ? []
        : PAGES.map((path) => routePattern(new URL(path, ORIGIN).pathname));
      assertEquals(faults.map(({ route }) => route), routes);
      assert(faults.every(({ requestId }) => requestId === "r-1"));
      assertEquals(/planted|example\.com|q=/.test(lines.join()), false);
      for (const path of FILES) {
        const response = await get(path);
        // The page's own filter has less time than a call; either way it is told.
        assertEquals(response.status, status === 401 ? 303 : status, path);
        const type = status === 401 ? null : "application/problem+json";
        assertEquals(response.headers.get("content-type"), type);
        await response.body?.cancel();
      }
      for (const headers of [{ cookie }, { [HEADER]: TOKEN }] as Record<string, string>[]) {
        const response = await app.fetch(new Request(ORIGIN + HISTORY, { headers }));
        assertEquals((await response.json()).status, status);
        assertEquals(response.headers.get("retry-after"), status === 429 ? "60" : null);
      }
      const next = "/filesets?q=name:x&limit=25";
      const refused = await signIn(app, next);
      const html = await refused.text();
      // Who may not read file sets gets in.
      assertEquals(refused.status, status === 403 ? 303 : status);
      if (status !== 403) {
        assertMatch(html, status === 401 ? /does not accept this token/ : words);
        assert(html.includes(next.replaceAll("&", "&amp;")), "it is kept where to go");
      }
      assertEquals(html.includes(TOKEN), false);
      if (faulty) upstream.behave(null);
      else upstream.listen(true);
      await assertWell(get);
      const response = await signIn(app, next);
      assertEquals([response.status, response.headers.get("location")], [303, next]);
    }));
}

Deno.test("[e2e] an upstream that fails amid a download: the file never looks whole", () =>
  withUpstream((upstream) =>
    withServer({ SERVICE_BASE_URL: upstream.baseUrl }, async (server) => {
      const cookie = await sessionCookie(server, server.origin, TOKEN);
      for (const behaviour of [breakingOff(`{"fileSets":[{"id":"a"`), answering(500)]) {
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
  withVisitor(async ({ upstream, lines, get }) => {
    upstream.behave(answering(404));
    for (const path of PAGES) {
      const response = await get(path);
      const html = await response.text();
      assertEquals(response.status, 404, path);
      assertMatch(html, isFileSets(path) ? NO_FILE_SETS : /Not found/, path);
    }
    assertEquals(lines, []);
  }));

Deno.test("[e2e] upstream: a client that leaves causes no error and no log line", () =>
  withVisitor(async ({ upstream, lines, app, cookie }) => {
    for (const path of [...PAGES, ...FILES]) {
      const visitor = new AbortController();
      upstream.behave((_asked, { gone }) => {
        visitor.abort();
        return gone;
      });
      const { signal } = visitor;
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie }, signal }));
      await response.body?.cancel();
    }
    assertEquals(lines, []);
  }));

/** Whether an answer drops the session's cookie. */
function isFileSets(path: string): boolean {
  return path.split("?")[0] === "/filesets";
}

function isDropped(response: Response): boolean {
  return response.headers.getSetCookie().some((cookie) =>
    /^docket_session_8000=;/.test(cookie) && /Expires=Thu, 01 Jan 1970/.test(cookie)
  );
}

import { assertEquals, assertMatch } from "@std/assert";
import type { FileSetPage } from "../../lib/types.ts";
import { HEADER, HISTORY, ORIGIN, SEARCH, sessionCookie, TOKEN, withApp } from "../app.ts";

function request(path: string, init: RequestInit = {}): Request {
  return new Request(ORIGIN + path, { ...init, headers: { [HEADER]: TOKEN, ...init.headers } });
}

function search(body: unknown, query = "", init: RequestInit = {}): Request {
  return request(SEARCH + query, {
    ...init,
    method: "POST",
    headers: { "content-type": "application/json", ...init.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function problemOf(response: Response) {
  assertEquals(response.headers.get("content-type"), "application/problem+json");
  const problem = await response.json();
  assertEquals(problem.status, response.status);
  assertEquals(problem.requestId, response.headers.get("x-request-id"));
  return problem;
}

Deno.test("[e2e] POST search: the empty object lists every file set, 100 a page, compressed", () =>
  withApp({}, async ({ fetch }) => {
    const response = await fetch(search({}, "", { headers: { "accept-encoding": "gzip" } }));
    assertEquals([response.status, response.headers.get("content-encoding")], [200, "gzip"]);
    assertMatch(response.headers.get("content-type") ?? "", /^application\/json/);
    const unpacked = response.body!.pipeThrough(new DecompressionStream("gzip"));
    const page: FileSetPage = await new Response(unpacked).json();
    assertEquals(Object.keys(page), ["fileSets", "pageContext"]);
    assertEquals(page.fileSets.length, 100);
    assertEquals(page.pageContext, { next: "100", offset: 0, limit: 100, total: 5000 });
  }));

Deno.test("[e2e] API: without a token or session, and with a wrong token: 401", () =>
  withApp({}, async ({ fetch }) => {
    for (const token of [undefined, "wrong", "", `${TOKEN}x`]) {
      const headers: HeadersInit = token === undefined ? {} : { [HEADER]: token };
      for (
        const asked of [
          new Request(ORIGIN + HISTORY, { headers }),
          new Request(ORIGIN + SEARCH, { method: "POST", body: "{}", headers }),
        ]
      ) {
        const response = await fetch(asked);
        assertEquals(response.status, 401, `${asked.method} with ${token}`);
        assertMatch((await problemOf(response)).detail, /X-SERVICE-Developer-Token/);
        const challenge = response.headers.get("www-authenticate");
        assertEquals(challenge, `DeveloperToken header="${HEADER}"`);
      }
    }
  }));

Deno.test("[e2e] API: the token header's name can be set", () =>
  withApp({ SERVICE_TOKEN_HEADER: "X-Other" }, async ({ fetch }) => {
    const headers = { "X-Other": TOKEN };
    assertEquals((await fetch(new Request(ORIGIN + HISTORY, { headers }))).status, 200);
    assertEquals((await fetch(request(HISTORY))).status, 401);
  }));

Deno.test("[e2e] API and pages: a session ends when its token does", () =>
  withApp({}, async (app) => {
    const { fetch } = app;
    const cookie = await sessionCookie(app, ORIGIN, "a token that was replaced");
    const page = await fetch(new Request(`${ORIGIN}/filesets`, { headers: { cookie } }));
    assertEquals([page.status, page.headers.get("location")], [303, "/sign-in?next=%2Ffilesets"]);
    const api = await fetch(new Request(ORIGIN + HISTORY, { headers: { cookie } }));
    assertEquals(api.status, 401);
    await api.body?.cancel();
  }));

Deno.test("[e2e] API and pages: a session never reaches another service", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    await withApp({ SERVICE_BASE_URL: "http://127.0.0.1:9" }, async ({ fetch }) => {
      const page = await fetch(new Request(`${ORIGIN}/filesets`, { headers: { cookie } }));
      assertEquals(page.status, 303);
      const api = await fetch(new Request(ORIGIN + HISTORY, { headers: { cookie } }));
      assertEquals(api.status, 401);
      await api.body?.cancel();
    });
  }));

Deno.test("[e2e] API: the answer has the request id, unless it can't be trusted", () =>
  withApp({}, async ({ fetch }) => {
    const given = await fetch(search({}, "", { headers: { "x-request-id": "from-proxy.1" } }));
    assertEquals(given.headers.get("x-request-id"), "from-proxy.1");
    await given.body?.cancel();
    const junk = await fetch(search({}, "", { headers: { "x-request-id": "a b".repeat(40) } }));
    assertMatch(junk.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    await junk.body?.cancel();
  }));

Deno.test("[e2e] pages: an unknown page shows the navigation to signed-in people only", () =>
  withApp({}, async (app) => {
    const read = async (headers: Record<string, string>) => {
      const page = await app.fetch(new Request(`${ORIGIN}/nowhere`, { headers }));
      assertEquals(page.status, 404);
      return (await page.text()).includes('aria-label="Main"');
    };
    assertEquals(await read({ cookie: await sessionCookie(app, ORIGIN) }), true);
    assertEquals(await read({}), false);
  }));

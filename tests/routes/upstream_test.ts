import { assertEquals, assertMatch } from "@std/assert";
import { type App, HEADER, ORIGIN, SEARCH, sessionCookie, withApp } from "../app.ts";

function search(token: string): Request {
  return new Request(ORIGIN + SEARCH, {
    method: "POST",
    headers: { [HEADER]: token, "content-type": "application/json" },
    body: "{}",
  });
}

/** What an upstream saw of a request. */
interface Seen {
  readonly path: string;
  readonly token: string | null;
}

/** Runs a test against an upstream that gives the same answer to everything. */
async function withUpstream(
  answer: (request: Request) => Response,
  test: (app: App, seen: Seen[]) => Promise<void>,
): Promise<void> {
  const seen: Seen[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    seen.push({ path: new URL(request.url).pathname, token: request.headers.get(HEADER) });
    return answer(request);
  });
  try {
    const SERVICE_BASE_URL = `http://127.0.0.1:${server.addr.port}/base`;
    await withApp({ SERVICE_BASE_URL }, (app) => test(app, seen));
  } finally {
    await server.shutdown();
  }
}

/** The cookies of a person who signed in with that token. */
async function cookiesFor(
  fetch: (request: Request) => Promise<Response>,
  token: string,
): Promise<string> {
  const body = new URLSearchParams({ token });
  const response = await fetch(new Request(`${ORIGIN}/sign-in`, { method: "POST", body }));
  assertEquals(response.status, 303);
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
}

Deno.test("[e2e] upstream: its statuses are passed on or become a 502", () => {
  const statuses = [
    [400, 400, true],
    [401, 401, false],
    [403, 403, false],
    [404, 404, true],
    [409, 409, true],
    [418, 502, false],
    [500, 502, false],
  ] as const;
  let answer = () => new Response();
  return withUpstream(() => answer(), async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    for (const [status, passedOn, isTold] of statuses) {
      for (const body of ["planted words", '{"detail":"planted words","errors":[]}']) {
        const type = body.startsWith("{") ? "application/problem+json" : "text/plain";
        answer = () => new Response(body, { status, headers: { "content-type": type } });
        const form = new URLSearchParams({ token: "made-up" });
        const signIn = await app.fetch(
          new Request(`${ORIGIN}/sign-in`, { method: "POST", body: form }),
        );
        const refusal = await signIn.text();
        assertEquals(refusal.includes("planted"), false);
        assertEquals(refusal.includes("Try again in a moment."), status === 500, `${status}`);
        const api = await app.fetch(search("made-up"));
        assertEquals(api.status, passedOn);
        assertEquals(api.headers.get("content-type"), "application/problem+json");
        const text = await api.text();
        assertMatch(JSON.parse(text).detail, new RegExp(String(status)));
        assertEquals(text.includes("planted"), isTold, `${status} ${type}`);
        const page = await app.fetch(new Request(`${ORIGIN}/filesets`, { headers: { cookie } }));
        assertEquals((await page.text()).includes("planted"), isTold, `${status} ${type}`);
      }
    }
  });
});

Deno.test("[e2e] upstream: the table shows chosen columns, a file set all fields", () =>
  withUpstream(
    () =>
      Response.json({
        fileSets: [{ id: "a", name: "Known", ownerEmail: "planted@example.com" }],
        pageContext: { total: 1 },
      }),
    async ({ fetch }) => {
      const cookie = await cookiesFor(fetch, "token");
      for (
        const [path, isShown] of [["/filesets", false], ["/filesets?open=a", true]] as const
      ) {
        const page = await fetch(new Request(ORIGIN + path, { headers: { cookie } }));
        const html = await page.text();
        assertMatch(html, /Known/);
        assertEquals(html.includes("planted@"), isShown, path);
      }
    },
  ));

import { assert, assertEquals } from "@std/assert";
import { type App, HEADER, HISTORY, ORIGIN, SEARCH, withApp } from "../app.ts";

const TOKEN = "planted-token-of-a-person";

/** A server that keeps the path and the token of each request. */
function recording(answer: (request: Request) => Response) {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    seen.push(`${new URL(request.url).pathname} ${request.headers.get(HEADER)}`);
    return answer(request);
  });
  return { seen, port: server.addr.port, close: () => server.shutdown() };
}

/** The requests of Docket that lead to the upstream, each by its way. */
const WAYS: Readonly<Record<string, () => Request>> = {
  "a search": () =>
    new Request(ORIGIN + SEARCH, {
      method: "POST",
      headers: { [HEADER]: TOKEN, "content-type": "application/json" },
      body: "{}",
    }),
  "a history": () => new Request(ORIGIN + HISTORY, { headers: { [HEADER]: TOKEN } }),
  "signing in": () =>
    new Request(`${ORIGIN}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ token: TOKEN }),
    }),
};

/** Where a redirect of a path leads; the upstream's own port, and that of somebody else. */
type Target = (path: string, own: number, other: number) => string;

/** Runs a test with an upstream that redirects everything, and somebody else who listens. */
async function withRedirects(
  status: number,
  target: Target,
  test: (app: App, seen: { readonly own: string[]; readonly other: string[] }) => Promise<void>,
): Promise<void> {
  const other = recording(() => Response.json({ fileSets: [], pageContext: {} }));
  const own = recording((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/moved") {
      return Response.json(request.method === "GET" ? [] : { fileSets: [], pageContext: {} });
    }
    const location = target(pathname, own.port, other.port);
    return new Response(null, { status, headers: { location } });
  });
  try {
    const SERVICE_BASE_URL = `http://127.0.0.1:${own.port}`;
    const seen = { own: own.seen, other: other.seen };
    await withApp({ SERVICE_BASE_URL }, (app) => test(app, seen));
  } finally {
    await own.close();
    await other.close();
  }
}

const ELSEWHERE: Readonly<Record<string, Target>> = {
  "another port": (path, _, other) => `http://127.0.0.1:${other}${path}`,
  "another port, by //": (path, _, other) => `//127.0.0.1:${other}${path}`,
  "another port, by a user": (path, own, other) =>
    `http://127.0.0.1:${own}@127.0.0.1:${other}${path}`,
  "another name of the same machine": (path, own) => `http://localhost:${own}${path}`,
  "another scheme": (path, own) => `https://127.0.0.1:${own}${path}`,
};

for (const [where, target] of Object.entries(ELSEWHERE)) {
  Deno.test(`[e2e] upstream: a redirect to ${where} is not followed, and the token stays`, async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      for (const [way, request] of Object.entries(WAYS)) {
        await withRedirects(status, target, async ({ fetch }, seen) => {
          const response = await fetch(request());
          const what = `${way}, ${status}`;
          assertEquals(response.status, 502, what);
          assertEquals(seen.other, [], what);
          assertEquals(seen.own.length, 1, what);
          assert(!(await response.text()).includes(TOKEN), what);
          assertEquals(response.headers.get("location"), null);
        });
      }
    }
  });
}

Deno.test("[e2e] upstream: a redirect within it is reported, as it would double each request", async () => {
  for (const status of [307, 308]) {
    for (const way of ["a search", "a history"]) {
      await withRedirects(status, () => "/moved", async ({ fetch }, seen) => {
        const response = await fetch(WAYS[way]());
        await response.body?.cancel();
        assertEquals(response.status, 502, `${way}, ${status}`);
        assertEquals(seen.own.length, 1);
      });
    }
  }
});

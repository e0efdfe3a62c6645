import { assert, assertEquals } from "@std/assert";
import { HEADER, HISTORY, ORIGIN, SEARCH, withApp } from "../app.ts";

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
const TARGETS: Readonly<Record<string, (path: string, own: number, other: number) => string>> = {
  "another port": (path, _, other) => `http://127.0.0.1:${other}${path}`,
  "another port, by a user": (path, own, other) =>
    `http://127.0.0.1:${own}@127.0.0.1:${other}${path}`,
  "another scheme": (path, own) => `https://127.0.0.1:${own}${path}`,
  "the upstream itself": (_path, own) => `http://127.0.0.1:${own}/moved`,
};

for (const [where, target] of Object.entries(TARGETS)) {
  Deno.test(`[e2e] upstream: a redirect to ${where} is not followed, and the token stays`, async () => {
    const other = recording(() => Response.json({ fileSets: [], pageContext: {} }));
    const own = recording((request) => {
      const location = target(new URL(request.url).pathname, own.port, other.port);
      return new Response(null, { status: 307, headers: { location } });
    });
    await withApp({ SERVICE_BASE_URL: `http://127.0.0.1:${own.port}` }, async ({ fetch }) => {
      for (const [way, request] of Object.entries(WAYS)) {
        own.seen.length = 0;
        const response = await fetch(request());
        assertEquals([response.status, response.headers.get("location")], [502, null], way);
        assert(!(await response.text()).includes(TOKEN), way);
        assertEquals([own.seen.length, other.seen], [1, []], way);
      }
    });
    await own.close();
    await other.close();
  });
}

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { createSessions } from "../../server/auth/sessions.ts";
import { type App, HEADER, SEARCH, TOKEN, withApp } from "../app.ts";
import { type Proxy, whyNoNginx, withNginx } from "../nginx.ts";

const ignore = whyNoNginx();
if (ignore !== null) console.warn(`Tests of a proxy are ignored: ${ignore}`);

/** A client of the proxy. */
type Send = (path: string, init?: RequestInit) => Promise<Response>;

interface Behind extends App {
  readonly proxy: Proxy;
  readonly send: Send;
  /** Ends Docket, while the proxy goes on. */
  stop(): Promise<void>;
}

/** A test with Docket behind nginx, for one version of HTTP. */
function proxyTest(
  name: string,
  test: (behind: Behind) => Promise<void>,
  { env = {}, http2 = true }: { readonly env?: Record<string, string>; readonly http2?: boolean } =
    {},
): void {
  Deno.test({
    name: `[e2e] proxy: ${name}`,
    ignore: ignore !== null,
    fn: () => behindNginx(env, http2, test),
  });
}

async function behindNginx(
  env: Record<string, string>,
  http2: boolean,
  test: (behind: Behind) => Promise<void>,
): Promise<void> {
  await withNginx((proxy, port) =>
    withApp({ PUBLIC_ORIGIN: proxy.publicOrigin, ...env }, async (app) => {
      const listening = { hostname: "127.0.0.1", port, onListen: () => {} };
      const server = Deno.serve(listening, app.fetch);
      const client = Deno.createHttpClient({
        caCerts: [proxy.certificate],
        http1: !http2,
        http2,
      });
      const send: Send = (path, init) => {
        // What nginx holds back never comes: then a test fails instead of waiting for ever.
        const signal = AbortSignal.timeout(20_000);
        const options = { redirect: "manual" as const, signal, ...init, client };
        return fetch(new URL(path, proxy.publicOrigin), options);
      };
      try {
        await test({ ...app, proxy, send, stop: () => server.shutdown() });
      } finally {
        client.close();
        await server.shutdown();
      }
    })
  );
}

/** The text of an answer, whose status has to be right. */
async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assertEquals(response.status, status, text.slice(0, 400));
  return text;
}

/** Signs in as a browser does; the whole `Set-Cookie`. */
async function signIn(
  { send, proxy }: Behind,
  { token = TOKEN, next = "/schedules" } = {},
): Promise<string> {
  const response = await send("/sign-in", {
    method: "POST",
    headers: { origin: proxy.publicOrigin, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token, next }),
  });
  await textOf(response, 303);
  const location = new URL(response.headers.get("location")!, proxy.publicOrigin);
  assertEquals(location.href, `${proxy.publicOrigin}${next}`);
  return response.headers.getSetCookie()[0];
}

const pair = (setCookie: string) => setCookie.split(";")[0];

proxyTest("a session's cookie is for this host alone, and over TLS only", async (behind) => {
  const setCookie = await signIn(behind);
  assertMatch(setCookie, /^__Host-docket_session=/);
  for (const attribute of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]) {
    assert(setCookie.split("; ").includes(attribute), attribute);
  }
  const page = await behind.send("/filesets", { headers: { cookie: pair(setCookie) } });
  assertMatch(await textOf(page), /5,000 file sets/);
});

const SESSION_KEY = "session-key-of-these-tests-".repeat(2);
const LONGEST_TOKEN = "t".repeat(2000);

proxyTest("the longest token signs in, and its session is renewed", async (behind) => {
  const { services, proxy: { publicOrigin }, send } = behind;
  await signIn(behind, { token: LONGEST_TOKEN, next: `/filesets?q=${"x".repeat(1500)}` });
  const sessions = createSessions([SESSION_KEY], {
    now: () => Date.now() - 5 * 60_000,
  });
  const headers = new Headers();
  const session = { token: LONGEST_TOKEN, service: services.identity };
  await sessions.write(headers, session, publicOrigin);
  const cookie = pair(headers.getSetCookie()[0]);
  for (const path of ["/filesets", "/schedules/102"]) {
    const page = await send(path, { headers: { cookie } });
    await textOf(page);
    const cookies = page.headers.getSetCookie();
    assert(cookies.some((text) => text.startsWith("__Host-docket_session=")), path);
  }
}, { env: { SERVICE_TOKEN: LONGEST_TOKEN, SESSION_KEY } });

proxyTest("redirects lead to the public origin", async ({ send, proxy }) => {
  for (const path of ["/", "/filesets?q=pay", "/schedules/102"]) {
    const response = await send(path);
    await response.body?.cancel();
    const location = new URL(response.headers.get("location")!, proxy.publicOrigin);
    assertEquals([path, location.origin], [path, proxy.publicOrigin]);
  }
  const plain = await fetch(`${proxy.plainOrigin}/filesets?limit=5`, { redirect: "manual" });
  await plain.body?.cancel();
  assertEquals(
    [plain.status, plain.headers.get("location")],
    [301, `${proxy.publicOrigin}/filesets?limit=5`],
  );
});

proxyTest("nginx names a request, in the answer and in its problem document", async ({ send }) => {
  const response = await send(SEARCH, { method: "POST", headers: { "x-request-id": "my-own" } });
  const problem = JSON.parse(await textOf(response, 401));
  assertMatch(problem.requestId, /^[0-9a-f]{32}$/);
  assertEquals(response.headers.get("x-request-id"), problem.requestId);
});

proxyTest(
  "a body too large is refused, by Docket with a reason, far larger by nginx",
  async (b) => {
    const upload = (bytes: number) =>
      b.send(SEARCH, {
        method: "POST",
        headers: { [HEADER]: TOKEN, "content-type": "application/json" },
        body: new Uint8Array(bytes).fill(32),
      });
    const refused = await upload(1.5 * 2 ** 20);
    const problem = JSON.parse(await textOf(refused, 413));
    assertEquals(refused.headers.get("content-type"), "application/problem+json");
    assertEquals(problem.status, 413);
    const farLarger = await upload(3 * 2 ** 20);
    assertMatch(await textOf(farLarger, 413), /nginx/);
  },
);

Deno.test({
  name: "[e2e] proxy: neither nginx nor Docket logs a client's address",
  ignore: ignore !== null,
  async fn() {
    const lines: string[] = [];
    const { error } = console;
    console.error = (line: string) => lines.push(line);
    try {
      await behindNginx({ LOG_LEVEL: "debug" }, true, async (behind) => {
        const cookie = pair(await signIn(behind));
        const page = await behind.send("/filesets", { headers: { cookie } });
        await page.body?.cancel();
        assert(lines.join("\n").includes(page.headers.get("x-request-id")!));
        assert(!/127\.0\.0\.1|::1/.test(lines.join("\n")), lines.join("\n"));
        // Two of what nginx reports as an error.
        const search = `${SEARCH}?planted=search`;
        const body = new Uint8Array(3 * 2 ** 20);
        await textOf(await behind.send(search, { method: "POST", body }), 413);
        await behind.stop();
        await textOf(await behind.send(search), 502);
        assertEquals(behind.proxy.logged(), "");
      });
    } finally {
      console.error = error;
    }
  },
});

/** An upstream with few rows, whose second page comes when it is told to. */
async function withSlowUpstream(
  test: (baseUrl: string, answerSecondPage: (status: number) => void) => Promise<void>,
): Promise<void> {
  const second = Promise.withResolvers<number>();
  // Docket sends by pieces of 32 KiB: the first page is one.
  const rows = makeFileSets(6).map((row) => ({ ...row, description: "d".repeat(12_000) }));
  const listening = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const server = Deno.serve(listening, async (request) => {
    await request.body?.cancel();
    const offset = Number(new URL(request.url).searchParams.get("offset") ?? 0);
    if (offset > 0) {
      const status = await second.promise;
      if (status !== 200) return new Response(null, { status });
    }
    const fileSets = rows.slice(offset, offset + 3);
    return Response.json({ fileSets, pageContext: { offset, limit: 3, total: rows.length } });
  });
  try {
    await test(`http://127.0.0.1:${server.addr.port}`, second.resolve);
  } finally {
    second.resolve(200);
    await server.shutdown();
  }
}

for (const http2 of [true, false]) {
  const over = http2 ? "HTTP/2" : "HTTP/1.1";
  Deno.test({
    name: `[e2e] proxy: an export is sent on while it is made, over ${over}`,
    ignore: ignore !== null,
    fn: () =>
      withSlowUpstream((SERVICE_BASE_URL, answerSecondPage) =>
        behindNginx({ SERVICE_BASE_URL }, http2, async (behind) => {
          const cookie = pair(await signIn(behind));
          const response = await behind.send("/filesets/export?format=ndjson", {
            headers: { cookie },
          });
          const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
          const lines = (text: string) => text.split("\n").length - 1;
          let text = "";
          while (lines(text) < 3) text += (await reader.read()).value;
          assertEquals(lines(text), 3);
          answerSecondPage(200);
          for (let part; !(part = await reader.read()).done;) text += part.value;
          assertEquals(lines(text), 6);
        })
      ),
  });

  Deno.test({
    name: `[e2e] proxy: an export that was cut off does not look whole, over ${over}`,
    ignore: ignore !== null,
    fn: () =>
      withSlowUpstream((SERVICE_BASE_URL, answerSecondPage) =>
        behindNginx({ SERVICE_BASE_URL, LOG_LEVEL: "error" }, http2, async (behind) => {
          const cookie = pair(await signIn(behind));
          const response = await behind.send("/filesets/export?format=ndjson", {
            headers: { cookie },
          });
          answerSecondPage(404);
          await assertRejects(() => response.text());
        })
      ),
  });
}

Deno.test({
  name: "[e2e] proxy: a request whose headers never end is closed before it reaches Docket",
  ignore: whyNoNginx() !== null,
  fn: () =>
    behindNginx({}, false, async ({ proxy }) => {
      const { hostname, port } = new URL(proxy.publicOrigin);
      using connection = await Deno.connectTls({
        hostname,
        port: Number(port),
        caCerts: [proxy.certificate],
      });
      const begun = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Never: ";
      await connection.write(new TextEncoder().encode(begun));
      const answer = await new Response(connection.readable).text().catch(() => "");
      assertMatch(answer, /^$|^HTTP\/1\.1 408 /);
    }),
});

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { type App, HEADER, SEARCH, TOKEN, withApp } from "../app.ts";
import { serveLocally } from "../processes.ts";
import { afterFirstPage, answering, type Behaviour, withUpstream } from "../upstream.ts";
import { type Proxy, whyNoNginx, withNginx } from "../nginx.ts";

const ignore = whyNoNginx();
if (ignore !== null) console.warn(`Tests of a proxy are ignored: ${ignore}`);

interface Behind extends App {
  readonly proxy: Proxy;
  /** Requests a path of the proxy. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** Ends Docket, while the proxy goes on. */
  stop(): Promise<void>;
}

/** A test with nginx. */
function proxyTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `[e2e] proxy: ${name}`, ignore: ignore !== null, fn });
}

/** Runs a test with Docket behind nginx. */
async function behindNginx(
  env: Readonly<Record<string, string>>,
  test: (behind: Behind) => Promise<void>,
): Promise<void> {
  await withNginx((proxy, port) =>
    withApp({ PUBLIC_ORIGIN: proxy.publicOrigin, ...env }, async (app) => {
      await using server = serveLocally(app.fetch, { port });
      const caCerts = [proxy.certificate];
      using client = Deno.createHttpClient({ caCerts, http1: false, http2: true });
      const send: Behind["send"] = (path, init) =>
        fetch(new URL(path, proxy.publicOrigin), { redirect: "manual", ...init, client });
      await test({ ...app, proxy, send, stop: () => server.shutdown() });
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

const LONGEST_TOKEN = "t".repeat(2000);

proxyTest(
  "takes the longest token, redirects to its origin, and refuses large bodies",
  () =>
    behindNginx({ SERVICE_TOKEN: LONGEST_TOKEN }, async (behind) => {
      const { send, proxy } = behind;
      const next = `/filesets?q=${"x".repeat(1500)}`;
      const setCookie = await signIn(behind, { token: LONGEST_TOKEN, next });
      assertMatch(setCookie, /^__Host-docket_session=.*; Secure/);
      const page = await send("/filesets", { headers: { cookie: pair(setCookie) } });
      assertMatch(await textOf(page), /5,000 file sets/);

      const plain = await fetch(`${proxy.plainOrigin}/filesets?limit=5`, { redirect: "manual" });
      await plain.body?.cancel();
      const secure = `${proxy.publicOrigin}/filesets?limit=5`;
      assertEquals([plain.status, plain.headers.get("location")], [301, secure]);
      // nginx names requests, whatever they are named by others.
      const response = await send(SEARCH, {
        method: "POST",
        headers: { "x-request-id": "my-own" },
      });
      const { requestId } = JSON.parse(await textOf(response, 401));
      assertMatch(requestId, /^[0-9a-f]{32}$/);
      assertEquals(response.headers.get("x-request-id"), requestId);

      // By Docket with a reason, which takes files of 4 MiB, and larger ones by nginx.
      const headers = { [HEADER]: LONGEST_TOKEN, "content-type": "application/json" };
      const upload = (bytes: number) =>
        send(SEARCH, { method: "POST", headers, body: new Uint8Array(bytes).fill(32) });
      assertEquals(JSON.parse(await textOf(await upload(4.5 * 2 ** 20), 413)).status, 413);
      assertMatch(await textOf(await upload(6 * 2 ** 20), 413), /nginx/);
    }),
);

proxyTest(
  "neither nginx nor Docket logs a client's address",
  () =>
    behindNginx({ LOG_LEVEL: "debug" }, async (behind) => {
      const lines: string[] = [];
      const { error } = console;
      console.error = (line: string) => lines.push(line);
      try {
        const cookie = pair(await signIn(behind));
        const page = await behind.send("/filesets", { headers: { cookie } });
        await page.body?.cancel();
        assert(lines.join("\n").includes(page.headers.get("x-request-id")!));
        assert(!/127\.0\.0\.1|::1/.test(lines.join("\n")), lines.join("\n"));
        // Two of what nginx reports as an error.
        const search = `${SEARCH}?planted=search`;
        const body = new Uint8Array(6 * 2 ** 20);
        await textOf(await behind.send(search, { method: "POST", body }), 413);
        await behind.stop();
        await textOf(await behind.send(search), 502);
        assertEquals(behind.proxy.logged(), "");
      } finally {
        console.error = error;
      }
    }),
);

proxyTest(
  "an export is sent on while it is made",
  () =>
    withUpstream(
      (upstream) =>
        behindNginx({ SERVICE_BASE_URL: upstream.baseUrl, LOG_LEVEL: "error" }, async (behind) => {
          const cookie = pair(await signIn(behind));
          let secondPage = Promise.withResolvers<Behaviour>();
          const answerSecond: Behaviour = async (request) => (await secondPage.promise)(request);
          upstream.behave(afterFirstPage(upstream, answerSecond));
          const download = () =>
            behind.send("/filesets/export?format=ndjson", { headers: { cookie } });
          const lines = (text: string) => text.split("\n").length - 1;
          const { body } = await download();
          const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
          let text = "";
          while (lines(text) < 3) text += (await reader.read()).value;
          assertEquals(lines(text), 3);
          secondPage.resolve((request) => upstream.service.fetch(request));
          for (let part; !(part = await reader.read()).done;) text += part.value;
          assertEquals(lines(text), 6);
          // One that is cut off does not look whole.
          secondPage = Promise.withResolvers();
          const cut = await download();
          secondPage.resolve(answering(404));
          await assertRejects(() => cut.text());
        }),
      {
        // Docket sends by pieces of 32 KiB: the first page is one.
        fileSets: makeFileSets(6).map((row) => ({ ...row, description: "d".repeat(12_000) })),
        quirks: { mostRows: 3 },
      },
    ),
);

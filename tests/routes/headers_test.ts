import { assert, assertEquals, assertMatch } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { headerFaults } from "../answer_headers.ts";
import { HEADER, HISTORY, SEARCH, sessionCookie, TOKEN, withApp, withServer } from "../app.ts";

const ORIGIN = "https://docket.example.com";

interface Case {
  readonly status: number;
  readonly path: string;
  readonly init?: RequestInit;
  readonly isPublic?: boolean;
}

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const token = { [HEADER]: TOKEN };

function posting(body: string, headers: HeadersInit): RequestInit {
  return { method: "POST", body, headers };
}

/** A script of the build, whatever it is called this time. */
function builtScript(): string {
  const folder = new URL("../../.output/public/assets/", import.meta.url);
  const { name } = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".js"))!;
  return `/assets/${name}`;
}

const CASES: readonly Case[] = [
  { status: 200, path: builtScript(), isPublic: true },
  { status: 200, path: "/icon.svg", isPublic: true },
  { status: 200, path: "/keys.js", isPublic: true },
  { status: 200, path: "/sign-in" },
  { status: 200, path: "/healthz" },
  { status: 303, path: "/sign-in", init: posting(`token=${TOKEN}`, form) },
  { status: 400, path: "/sign-in", init: posting(`token=${"x".repeat(2001)}`, form) },
  { status: 400, path: SEARCH, init: posting("{", { ...json, ...token }) },
  { status: 401, path: "/sign-in", init: posting("token=wrong", form) },
  { status: 403, path: HISTORY, init: { headers: { "sec-fetch-site": "cross-site" } } },
  { status: 404, path: "/nowhere" },
  { status: 404, path: "/assets/nothing.js" },
  { status: 404, path: "/api/nowhere" },
  { status: 404, path: "/api/%ff" },
  { status: 404, path: "/api/content/v1/reportschedules/999/history", init: { headers: token } },
  { status: 413, path: "/sign-in", init: posting("x".repeat(70_000), form) },
  { status: 413, path: SEARCH, init: posting(" ".repeat(1_100_000), { ...json, ...token }) },
  { status: 415, path: "/sign-in", init: posting("token=x", { "content-type": "text/plain" }) },
  { status: 415, path: SEARCH, init: posting("{}", { ...token, "content-type": "text/plain" }) },
];

Deno.test("[e2e] every status has every header, on pages, files and the API", () =>
  withApp({ PUBLIC_ORIGIN: ORIGIN }, async ({ fetch }) => {
    for (const { status, path, init, isPublic } of CASES) {
      const response = await fetch(new Request(ORIGIN + path, init));
      await response.body?.cancel();
      const what = `${init?.method ?? "GET"} ${path}`;
      assertEquals(response.status, status, what);
      const expected = {
        isOperation: /^\/api\/(files|content)\//.test(path),
        isPublic,
        isSecure: true,
      };
      assertEquals(headerFaults(response, expected), [], `${what}: ${status}`);
      // What did not change is a 304.
      const etag = isPublic && response.headers.get("etag");
      if (!etag) continue;
      const again = await fetch(new Request(ORIGIN + path, { headers: { "if-none-match": etag } }));
      assertEquals([again.status, headerFaults(again, expected)], [304, []], path);
    }
  }));

Deno.test("[e2e] server errors have every header, on pages and the API", () =>
  withApp({ PUBLIC_ORIGIN: ORIGIN }, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const built = await import(new URL("../../.output/server/index.mjs", import.meta.url).href);
    const { services } = app;
    const log = { ...services.log, error: () => {} };
    const backendFor = () => {
      throw new Error("planted");
    };
    const failing = built.createFetch({ ...services, log, backendFor, store: null });
    for (const path of ["/filesets?q=x", HISTORY]) {
      const response = await failing(new Request(ORIGIN + path, { headers: { cookie } }));
      assertEquals(response.status, 500, path);
      const text = await response.text();
      const again = /<a [^>]*href(="")?>Try again<.*Request <code>/s.test(text);
      assertEquals([text.includes("planted"), again], [false, path !== HISTORY]);
      const expected = { isOperation: [SEARCH, HISTORY].includes(path), isSecure: true };
      assertEquals(headerFaults(response, expected), [], path);
    }
  }));

/** The first line of the answer to a request as it is written. */
async function rawly(origin: string, head: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(`${head}\r\nConnection: close\r\n\r\n`));
  const buffer = new Uint8Array(4096);
  const read = await connection.read(buffer) ?? 0;
  return new TextDecoder().decode(buffer.subarray(0, read));
}

Deno.test("[e2e] HTTP: another site's name for this machine is not served", () =>
  withServer({}, async ({ origin }) => {
    const { port } = new URL(origin);
    for (const path of ["/filesets", "/sign-in", HISTORY]) {
      const answer = await rawly(origin, `GET ${path} HTTP/1.1\r\nHost: evil.example.com:${port}`);
      assertMatch(answer, /^HTTP\/1\.1 421 /, path);
      assert(!/set-cookie/i.test(answer));
    }
  }));

const VERSION = new RegExp(`^${denoConfig.version.replaceAll(".", "\\.")}(\\+[\\w.-]+)?$`);

Deno.test("[e2e] health: both say that all is well, and readyz when the program stops", () =>
  withApp({ RATE_LIMIT: "1" }, async ({ services, fetch }) => {
    for (const path of ["/healthz", "/readyz", "/healthz", "/readyz"]) {
      const response = await fetch(new Request(ORIGIN + path));
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("cache-control"), "private, no-store");
      assertEquals(response.headers.getSetCookie(), []);
      const { status, version, ...rest } = await response.json();
      assertEquals([status, rest], ["ok", {}]);
      assertMatch(version, VERSION);
    }
    services.readiness.end();
    const response = await fetch(new Request(`${ORIGIN}/readyz`));
    assertEquals([response.status, (await response.json()).status], [503, "unavailable"]);
  }));

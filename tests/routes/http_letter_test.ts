import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  HEADER,
  HISTORY,
  ORIGIN,
  SEARCH,
  sessionCookie,
  TOKEN,
  withApp,
  withServer,
} from "../app.ts";

/** The status and headers of an answer in this process. */
async function answered(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response | undefined;
  await withApp({}, async ({ fetch }) => {
    response = await fetch(new Request(ORIGIN + path, init));
    await response.body?.cancel();
  });
  return response!;
}

Deno.test("[e2e] HTTP: a 401 says how to authenticate", async () => {
  for (const headers of [{}, { [HEADER]: "wrong" }] as Record<string, string>[]) {
    const response = await answered(HISTORY, { headers });
    assertEquals(response.status, 401);
    const challenge = response.headers.get("www-authenticate");
    assertEquals(challenge, `DeveloperToken header="${HEADER}"`);
  }
});

Deno.test("[e2e] HTTP: a 415 says what is accepted", async () => {
  const post = (path: string, headers: Record<string, string>) =>
    answered(path, { method: "POST", headers: { [HEADER]: TOKEN, ...headers }, body: "{}" });
  const json = await post(SEARCH, { "content-type": "text/plain" });
  assertEquals([json.status, json.headers.get("accept")], [415, "application/json"]);
  const encoded = await post(SEARCH, {
    "content-type": "application/json",
    "content-encoding": "gzip",
  });
  assertEquals([encoded.status, encoded.headers.get("accept-encoding")], [415, "identity"]);
  const form = await post("/sign-in", { "content-type": "text/plain" });
  assertEquals(form.status, 415);
  assertEquals(form.headers.get("accept"), "application/x-www-form-urlencoded");
});

Deno.test("[e2e] HTTP: OPTIONS names the methods of an operation, for other origins as well", async () => {
  for (const [path, methods] of [[SEARCH, "POST, OPTIONS"], [HISTORY, "GET, HEAD, OPTIONS"]]) {
    const options = await answered(path, { method: "OPTIONS" });
    assertEquals(options.status, 204);
    assertEquals(options.headers.get("allow"), methods);
    assertEquals(options.headers.get("access-control-allow-methods"), methods);
    const allowed = options.headers.get("access-control-allow-headers");
    assertEquals(allowed, `${HEADER}, Content-Type, If-None-Match`);
    const other = await answered(path, { method: "DELETE", headers: { [HEADER]: TOKEN } });
    assertEquals([other.status, other.headers.get("allow")], [405, methods]);
    const exposed = other.headers.get("access-control-expose-headers");
    assertEquals(exposed, "ETag, Retry-After, X-Request-Id");
  }
});

Deno.test("[e2e] HTTP: OPTIONS names the methods of a page, signed in or not", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    for (
      const [path, methods] of [
        ["/filesets", "GET, HEAD, OPTIONS"],
        ["/schedules/101/plan", "GET, HEAD, POST, OPTIONS"],
        ["/schedules/watch", "POST, OPTIONS"],
        ["/sign-in", "GET, HEAD, POST, OPTIONS"],
        ["/api/openapi.json", "GET, HEAD, OPTIONS"],
      ]
    ) {
      for (const headers of [{}, { cookie }] as Record<string, string>[]) {
        const options = await app.fetch(new Request(ORIGIN + path, { method: "OPTIONS", headers }));
        assertEquals([options.status, options.body], [204, null], path);
        assertEquals(options.headers.get("allow"), methods, path);
      }
    }
    const missing = await app.fetch(new Request(`${ORIGIN}/nowhere`, { method: "OPTIONS" }));
    await missing.body?.cancel();
    assertEquals(missing.status, 404);
  }));

Deno.test("[e2e] HTTP: an id may be percent-encoded, in paths of pages and of the API", () =>
  withApp({}, async ({ fetch }) => {
    const headers = { [HEADER]: TOKEN };
    const text = async (path: string) => {
      const response = await fetch(new Request(ORIGIN + path, { headers }));
      return [response.status, await response.text()];
    };
    assertEquals(await text(HISTORY.replace("101", "%31%301")), await text(HISTORY));
    const [status] = await text("/api/content/v1/reportschedules/%2F101/history");
    assertEquals(status, 400);
    const page = await fetch(new Request(`${ORIGIN}/sign%2Din`));
    assertEquals([page.status, (await page.text()).includes("Developer token")], [200, true]);
    const away = await fetch(new Request(`${ORIGIN}//evil.example.com/%73chedules`));
    await away.body?.cancel();
    assertEquals([away.status, away.headers.get("location")], [404, null]);
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

Deno.test("[e2e] HTTP: a request with another scheme is the sender's error", () =>
  withServer({}, async ({ origin }) => {
    const { host } = new URL(origin);
    for (const target of ["hxtp://e/filesets", "ftp://localhost/filesets"]) {
      const answer = await rawly(origin, `GET ${target} HTTP/1.1\r\nHost: ${host}`);
      assertMatch(answer, /^HTTP\/1\.1 400 /, target);
    }
  }));

Deno.test("[e2e] HTTP: another site's name for this machine is not served, nor counted against anybody", () =>
  withServer({}, async ({ origin }) => {
    const { port } = new URL(origin);
    for (const path of ["/filesets", "/sign-in", HISTORY]) {
      const answer = await rawly(origin, `GET ${path} HTTP/1.1\r\nHost: evil.example.com:${port}`);
      assertMatch(answer, /^HTTP\/1\.1 421 /, path);
      assert(!/set-cookie/i.test(answer));
    }
    const form = "token=wrong";
    for (let time = 0; time < 12; time++) {
      const head = `POST /sign-in HTTP/1.1\r\nHost: evil.example.com\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}`;
      assertMatch(await rawly(origin, head), /^HTTP\/1\.1 421 /);
    }
    const body = new URLSearchParams({ token: TOKEN });
    const signedIn = await fetch(`${origin}/sign-in`, { method: "POST", body, redirect: "manual" });
    await signedIn.body?.cancel();
    assertEquals(signedIn.status, 303);
  }));

import { assert, assertEquals, assertMatch } from "@std/assert";
import { HISTORY, ORIGIN, sessionCookie, withApp, withServer } from "../app.ts";

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

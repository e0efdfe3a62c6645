import { assertEquals, assertMatch } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { ORIGIN, withApp } from "../app.ts";
const VERSION = new RegExp(`^${denoConfig.version.replaceAll(".", "\\.")}(\\+[\\w.-]+)?$`);

Deno.test("[e2e] health: both say that all is well, to anybody, and nothing else but the version", () =>
  withApp({ RATE_LIMIT: "1" }, async ({ fetch }) => {
    for (const path of ["/healthz", "/readyz", "/healthz", "/readyz"]) {
      const response = await fetch(new Request(ORIGIN + path));
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("cache-control"), "private, no-store");
      assertEquals(response.headers.get("x-content-type-options"), "nosniff");
      assertEquals(response.headers.getSetCookie(), []);
      const { status, version, ...rest } = await response.json();
      assertEquals([status, rest], ["ok", {}]);
      assertMatch(version, VERSION);
    }
  }));

Deno.test("[e2e] health: alive but not ready while the program is stopping", () =>
  withApp({}, async ({ services, fetch }) => {
    services.readiness.end();
    assertEquals((await fetch(new Request(`${ORIGIN}/healthz`))).status, 200);
    const response = await fetch(new Request(`${ORIGIN}/readyz`));
    assertEquals(response.status, 503);
    assertEquals((await response.json()).status, "unavailable");
  }));

Deno.test("[e2e] health: it is not ready when the store does not answer", () =>
  withApp({ LOG_LEVEL: "error" }, async ({ services, fetch }) => {
    await services.store!.close();
    const response = await fetch(new Request(`${ORIGIN}/readyz`));
    assertEquals(response.status, 503);
    assertEquals(Object.keys(await response.json()).sort(), ["status", "version"]);
    assertEquals((await fetch(new Request(`${ORIGIN}/healthz`))).status, 200);
  }));

/** The status of `/readyz` with an upstream that answers so, and what it was sent. */
async function readinessWith(answer: () => Response): Promise<[number, Headers]> {
  let sent = new Headers();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    sent = request.headers;
    return answer();
  });
  let status = 0;
  await withApp(
    { SERVICE_BASE_URL: `http://127.0.0.1:${server.addr.port}/base` },
    async ({ fetch }) => {
      const response = await fetch(new Request(`${ORIGIN}/readyz`));
      await response.body?.cancel();
      status = response.status;
    },
  );
  await server.shutdown();
  return [status, sent];
}

Deno.test("[e2e] health: ready if the upstream rejects requests, not if it fails", async () => {
  const [refused, sent] = await readinessWith(() => new Response("no", { status: 401 }));
  assertEquals(refused, 200);
  assertEquals(sent.has("X-SERVICE-Developer-Token"), false);
  const [failed] = await readinessWith(() => new Response("planted detail", { status: 502 }));
  assertEquals(failed, 503);
});

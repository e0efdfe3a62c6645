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

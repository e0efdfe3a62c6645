import { assert, assertEquals, assertMatch } from "@std/assert";
import { HEADER, HISTORY, ORIGIN, SEARCH, sessionCookie, TOKEN, withApp } from "../app.ts";
import { RECORDS_API } from "../../server/http/paths.ts";
import { METHODS, pathOfEachRoute, requestOf } from "./route_requests.ts";

const OPERATIONS = [SEARCH, HISTORY];

/** What browsers say of a request that another site's page sent, in each of their ways. */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
  { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
  { "sec-fetch-site": "same-site", origin: ORIGIN },
  { origin: "https://other.example" },
  { origin: "null" },
];

Deno.test("[e2e] every route, every method: what another site's page sends is refused", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    for (const path of pathOfEachRoute()) {
      for (const method of METHODS) {
        if (method === "OPTIONS" && OPERATIONS.includes(path)) continue;
        for (const foreign of FOREIGN) {
          const what = `${method} ${path} ${JSON.stringify(foreign)}`;
          const request = requestOf(ORIGIN, path, method, { cookie, ...foreign });
          const response = await app.fetch(request);
          assertEquals([response.status, response.headers.getSetCookie()], [403, []], what);
          const type = response.headers.get("content-type");
          const isApi = path.startsWith("/api/");
          assertEquals(type, isApi ? "application/problem+json" : "text/plain; charset=utf-8");
          const text = await response.text();
          if (method !== "HEAD") assertMatch(text, /another site's page/, what);
          if (isApi && method !== "HEAD") assertEquals(JSON.parse(text).status, 403);
        }
      }
    }
  }));

/** What is no page, though it is asked for by GET. */
const FILES = [
  ...pathOfEachRoute().filter((path) => path.startsWith(`${RECORDS_API}/`)),
  "/filesets/export",
  "/schedules/101/export",
  "/people/export",
];

Deno.test("[e2e] every page: another site's link opens it, no form or frame", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    const routes = pathOfEachRoute();
    assertEquals(FILES.filter((path) => !routes.includes(path)), []);
    for (const path of [...routes, ...[...OPERATIONS, ...FILES].map((path) => `${path}/`)]) {
      const open = async (method: string) => {
        const response = await app.fetch(requestOf(ORIGIN, path, method, { cookie, ...link }));
        await response.body?.cancel();
        return response.status;
      };
      const isNoPage = [...OPERATIONS, ...FILES].includes(path.replace(/\/$/, ""));
      assertEquals(await open("GET") === 403, isNoPage, path);
      assertEquals(await open("POST"), 403, path);
    }
  }));

Deno.test("[e2e] API: a token counts from anywhere, and its answer may be read there", () =>
  withApp({}, async (app) => {
    // A session beside it changes nothing.
    const cookie = await sessionCookie(app, ORIGIN);
    for (const foreign of FOREIGN) {
      for (const [path, method] of [[SEARCH, "POST"], [HISTORY, "GET"]]) {
        const sent = { cookie, [HEADER]: TOKEN, ...foreign };
        const { status, body, headers } = await app.fetch(requestOf(ORIGIN, path, method, sent));
        await body?.cancel();
        assertEquals(status, 200);
        assertEquals(headers.get("access-control-allow-origin"), "*");
        assertEquals(headers.get("access-control-allow-credentials"), null);
        const exposed = headers.get("access-control-expose-headers");
        assertEquals(exposed, "Retry-After, X-Request-Id");
      }
    }
  }));

Deno.test("[e2e] API: preflight answers say what scripts of other origins may send", () =>
  withApp({ SERVICE_TOKEN_HEADER: "X-Other" }, async ({ fetch }) => {
    const ask = (path: string) =>
      fetch(
        new Request(ORIGIN + path, {
          method: "OPTIONS",
          headers: {
            origin: "https://other.example",
            "sec-fetch-site": "cross-site",
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type,x-other",
          },
        }),
      );
    for (const [path, methods] of [[SEARCH, "POST, OPTIONS"], [HISTORY, "GET, HEAD, OPTIONS"]]) {
      const { status, body, headers } = await ask(path);
      assertEquals([status, body, headers.get("allow")], [204, null, methods]);
      assertEquals(headers.get("access-control-allow-methods"), methods);
      assertEquals(headers.get("access-control-allow-origin"), "*");
      assertEquals(headers.get("access-control-allow-headers"), "X-Other, Content-Type");
    }
    for (const path of ["/filesets", "/schedules/101/export", "/api/nowhere", "/sign-in"]) {
      const { status, body, headers } = await ask(path);
      await body?.cancel();
      assert(status >= 400, path);
      assertEquals(headers.get("access-control-allow-origin"), null, path);
    }
  }));

Deno.test("[e2e] behind a proxy, the origin that browsers see is the one that counts", () =>
  withApp({ PUBLIC_ORIGIN: "https://docket.example.com" }, async ({ fetch }) => {
    const origins = ["https://docket.example.com", "http://docket.example.com", ORIGIN];
    const statuses = origins.map(async (origin) => {
      const init = { method: "POST", headers: { origin } };
      const { status, body } = await fetch(new Request(`${ORIGIN}/sign-out`, init));
      await body?.cancel();
      return status;
    });
    assertEquals(await Promise.all(statuses), [303, 403, 403]);
  }));

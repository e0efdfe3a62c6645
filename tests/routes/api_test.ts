import { assert, assertEquals, assertMatch } from "@std/assert";
import { head, HEADER, HISTORY, ORIGIN, SEARCH, sessionCookie, TOKEN, withApp } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";

const history = (headers: HeadersInit) => new Request(ORIGIN + HISTORY, { headers });

Deno.test("[e2e] API: a path may be percent-encoded, and leads nowhere else", () =>
  withApp({}, async ({ fetch }) => {
    const headers = { [HEADER]: TOKEN };
    const ask = async (path: string) => {
      const answer = await fetch(new Request(ORIGIN + path, { headers }));
      return [answer.status, await answer.text(), answer.headers.get("location")] as const;
    };
    assertEquals(await ask(HISTORY.replace("101", "%31%301")), await ask(HISTORY));
    assertEquals((await ask("/api/content/v1/reportschedules/%2F101/history"))[0], 400);
    assert((await ask("/api/nowhere"))[1].includes("The interface has no such path"));
    assertMatch((await ask("/sign%2Din"))[1], /Developer token/);
    const [status, , location] = await ask("//evil.example.com/%73chedules");
    assertEquals([status, location], [404, null]);
  }));

Deno.test("[e2e] pages: an unknown page shows the navigation to signed-in people only", () =>
  withApp({}, async (app) => {
    await plantIncident(app, { name: "" });
    for (const cookie of ["", await sessionCookie(app, ORIGIN)]) {
      const page = await app.fetch(new Request(`${ORIGIN}/nowhere`, { headers: { cookie } }));
      const shown = /aria-label="Main".*class="pill">1/s.test(await page.text());
      assertEquals([page.status, shown], [404, cookie !== ""]);
    }
  }));

Deno.test("[e2e] API: a token counts from anywhere, and its answer may be read there", () =>
  withApp({}, async (app) => {
    // A session beside it changes nothing.
    const cookie = await sessionCookie(app, ORIGIN);
    const foreign = { cookie, "sec-fetch-site": "cross-site", origin: "https://other.example" };
    const headers = { ...foreign, [HEADER]: TOKEN, "content-type": "application/json" };
    const search = new Request(ORIGIN + SEARCH, { method: "POST", headers, body: "{}" });
    for (const request of [search, history(headers)]) {
      const { status, headers } = await head(app.fetch(request));
      const names = ["allow-origin", "allow-credentials", "expose-headers"];
      const allowed = names.map((name) => headers.get(`access-control-${name}`));
      assertEquals([status, ...allowed], [200, "*", null, "Retry-After, X-Request-Id"]);
    }
  }));

Deno.test("[e2e] API: preflight says what scripts of other origins may send, by the set token header", () =>
  withApp({ SERVICE_TOKEN_HEADER: "X-Other" }, async ({ fetch }) => {
    assertEquals((await fetch(history({ "X-Other": TOKEN }))).status, 200);
    const refused = await fetch(history({ [HEADER]: TOKEN }));
    assertEquals(refused.headers.get("www-authenticate"), 'DeveloperToken header="X-Other"');
    assertEquals(refused.status, 401);
    const { detail, requestId } = await refused.json();
    assertEquals(requestId, refused.headers.get("x-request-id"));
    assertMatch(detail, /X-Other/);
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
      const { status, headers } = await head(ask(path));
      assert(status >= 400, path);
      assertEquals(headers.get("access-control-allow-origin"), null, path);
    }
  }));

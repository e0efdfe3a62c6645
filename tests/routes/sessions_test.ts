import { assertEquals, assertStringIncludes } from "@std/assert";
import { createSessions } from "../../server/auth/sessions.ts";
import { type App, ORIGIN, sessionCookie, TOKEN, withApp } from "../app.ts";

const SESSION_KEY = "session-key-of-these-tests-".repeat(2);
const HISTORY = "/api/content/v1/reportschedules/101/history?limit=1";

/** The cookie of a person whose last request was so long ago. */
async function cookieSince({ services }: App, agoMs: number): Promise<string> {
  const sessions = createSessions([SESSION_KEY], { now: () => Date.now() - agoMs });
  const headers = new Headers();
  await sessions.write(headers, { token: TOKEN, service: services.identity }, ORIGIN);
  return headers.getSetCookie()[0].split(";")[0];
}

async function ask({ fetch }: App, path: string, cookie: string, method = "GET") {
  const response = await fetch(new Request(ORIGIN + path, { method, headers: { cookie } }));
  await response.body?.cancel();
  return {
    status: response.status,
    cookies: response.headers.getSetCookie().filter((text) => text.includes("session")),
  };
}

Deno.test("[e2e] sessions: pages and the API renew a session that is in use", () =>
  withApp({ SESSION_KEY }, async (app) => {
    const cookie = await cookieSince(app, 5 * 60_000);
    for (const path of ["/filesets", "/schedules/101/export?format=csv", HISTORY]) {
      const { status, cookies } = await ask(app, path, cookie);
      assertEquals([status, cookies.length], [200, 1], path);
      const again = await ask(app, path, cookies[0].split(";")[0]);
      assertEquals([again.status, again.cookies], [200, []], path);
    }
  }));

Deno.test("[e2e] sessions: signing out works even while the database is away", () =>
  withApp({ SESSION_KEY }, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN, "a-token-that-only-the-database-knows");
    await app.services.store!.close();
    assertEquals((await ask(app, "/filesets", cookie)).status, 503);
    for (const path of ["/sign-out", "/sign-out/"]) {
      const { status, cookies } = await ask(app, path, cookie, "POST");
      assertEquals([status, cookies.length], [303, 1], path);
      assertEquals(cookies[0].startsWith("docket_session_8000=;"), true);
    }
  }));

Deno.test("[e2e] sessions: signing out ends copies of the cookie, or all sessions", () =>
  withApp({ SESSION_KEY }, async (app) => {
    const cookies = [
      await cookieSince(app, 0),
      await cookieSince(app, 0),
      await cookieSince(app, 0),
    ];
    const status = async (cookie: string, path = HISTORY) => (await ask(app, path, cookie)).status;
    assertEquals(await Promise.all(cookies.map((cookie) => status(cookie))), [200, 200, 200]);
    await ask(app, "/sign-out", cookies[0], "POST");
    assertEquals(await Promise.all(cookies.map((cookie) => status(cookie))), [401, 200, 200]);
    assertEquals(await status(cookies[0], "/filesets"), 303);
    // Another process, with the same key and database, knows of it.
    const ended = app.services.store!.endedSessions;
    const sessions = createSessions([SESSION_KEY], { ended });
    assertEquals(await sessions.read(new Headers({ cookie: cookies[0] }), ORIGIN), null);
    await ask(app, "/sign-out?everywhere=true", cookies[1], "POST");
    assertEquals(await Promise.all(cookies.map((cookie) => status(cookie))), [401, 401, 401]);
  }));

Deno.test("[e2e] sessions: signing out clears the browser's cache, and forgets the name", () =>
  withApp({ SESSION_KEY }, async (app) => {
    const cookie = await cookieSince(app, 0);
    const response = await app.fetch(
      new Request(`${ORIGIN}/sign-out`, { method: "POST", headers: { cookie } }),
    );
    assertEquals(response.headers.get("clear-site-data"), '"cache"');
    const cookies = response.headers.getSetCookie().join("\n");
    assertStringIncludes(cookies, "docket_name=; Path=/; Expires=Thu, 01 Jan 1970");
  }));

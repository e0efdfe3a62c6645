import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createLog } from "../../server/log/log.ts";
import { createSessions } from "../../server/auth/sessions.ts";
import {
  type App,
  head,
  HEADER,
  HISTORY,
  ORIGIN,
  sessionCookie,
  signIn,
  TOKEN,
  withApp,
} from "../app.ts";

const SESSION_KEY = "session-key-of-these-tests-".repeat(2);

/** The cookie of a person whose last request was so long ago. */
async function cookieSince({ services }: App, agoMs: number): Promise<string> {
  const sessions = createSessions([SESSION_KEY], { now: () => Date.now() - agoMs });
  const headers = new Headers();
  await sessions.write(headers, { token: TOKEN, service: services.identity }, ORIGIN);
  return headers.getSetCookie()[0].split(";")[0];
}

async function ask({ fetch }: App, path: string, cookie: string, method = "GET") {
  const request = new Request(ORIGIN + path, { method, headers: { cookie } });
  const { status, headers } = await head(fetch(request));
  return { status, cookies: headers.getSetCookie().filter((text) => text.includes("session")) };
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

Deno.test("[e2e] sessions: without the database, signing out works, and errors are logged once", () => {
  const lines: string[] = [];
  const log = createLog({ level: "error", format: "json", write: (line) => lines.push(line) });
  return withApp({ SESSION_KEY }, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN, "a-token-that-only-the-database-knows");
    await app.services.open();
    await app.services.store!.close();
    for (const path of ["/schedules/101/plan", HISTORY]) {
      assertEquals((await ask(app, path, cookie)).status, 503);
    }
    assertEquals(lines.map((line) => JSON.parse(line).route), [
      "/schedules/:scheduleId/plan",
      "/api/content/v1/reportschedules/:scheduleId/history",
    ]);
    for (const path of ["/sign-out", "/sign-out/"]) {
      const { status, cookies } = await ask(app, path, cookie, "POST");
      assertEquals([status, cookies.length], [303, 1], path);
      assertEquals(cookies[0].startsWith("docket_session_8000=;"), true);
    }
    // Where the database goes away later, what the page shows needs it.
    const sessions = createSessions([SESSION_KEY]);
    Object.assign(app.services, { sessions, open: () => Promise.resolve() });
    lines.length = 0;
    const shown = await ask(app, "/schedules/101/plan", await sessionCookie(app, ORIGIN));
    assertEquals(shown.status, 503);
    assertEquals(lines.map((line) => JSON.parse(line).route), ["/schedules/:scheduleId/plan"]);
    assertEquals((await ask(app, "/preferences", await sessionCookie(app, ORIGIN))).status, 200);
  }, { log });
});

Deno.test("[e2e] sessions: signing out, or in again, ends copies of the cookie, or all sessions", () =>
  withApp({ SESSION_KEY }, async (app) => {
    const cookies = [1, 2, 3, 4].map(() => cookieSince(app, 0));
    const [first, second, third] = await Promise.all(cookies);
    const statuses = () =>
      Promise.all(cookies.map(async (cookie) => (await ask(app, HISTORY, await cookie)).status));
    assertEquals(await statuses(), [200, 200, 200, 200]);
    const out = { method: "POST", headers: { cookie: first } };
    const { headers } = await app.fetch(new Request(`${ORIGIN}/sign-out`, out));
    assertEquals(headers.get("clear-site-data"), '"cache"');
    assertMatch(headers.getSetCookie().join(), /docket_name=; .*Expires=Thu, 01 Jan 1970/);
    assertEquals(await statuses(), [401, 200, 200, 200]);
    const body = new URLSearchParams({ token: TOKEN });
    const again = { method: "POST", headers: { cookie: third }, body };
    assertEquals((await app.fetch(new Request(`${ORIGIN}/sign-in`, again))).status, 303);
    assertEquals(await statuses(), [401, 200, 401, 200]);
    assertEquals((await ask(app, "/filesets", first)).status, 303);
    // Another process, with the same key and database, knows of it.
    const ended = app.services.store!.endedSessions;
    const sessions = createSessions([SESSION_KEY], { ended });
    assertEquals(await sessions.read(new Headers({ cookie: first }), ORIGIN), null);
    await ask(app, "/sign-out?everywhere=true", second, "POST");
    assertEquals(await statuses(), [401, 401, 401, 401]);
  }));

Deno.test("[e2e] sessions: one ends when its token does", () =>
  withApp({}, async (app) => {
    const { tokens } = app.services.store!;
    const token = (await tokens.add("someone", "reader", new Date()))!;
    const { get } = await signIn(app, token);
    const byToken = () =>
      app.fetch(new Request(ORIGIN + HISTORY, { headers: { [HEADER]: token } }));
    const statuses = async () => [(await get(HISTORY)).status, (await byToken()).status];
    assertEquals(await statuses(), [200, 200]);
    await tokens.revoke("someone", new Date());
    assertEquals(await statuses(), [401, 401]);
    assertEquals((await get("/filesets")).to, "/sign-in?next=%2Ffilesets");
  }));

Deno.test("[e2e] sessions: one never reaches another service", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    await withApp({ SERVICE_BASE_URL: "http://127.0.0.1:9" }, async (other) => {
      assertEquals((await ask(other, "/filesets", cookie)).status, 303);
      assertEquals((await ask(other, HISTORY, cookie)).status, 401);
    });
  }));

Deno.test("[e2e] GET /sign-in: says which token to paste", async () => {
  const words = {
    "the token that your service gave you": { SERVICE_BASE_URL: "http://127.0.0.1:9" },
    "the token in the setting SERVICE_TOKEN": { SERVICE_TOKEN: TOKEN },
    "the token in the file service-token": { SERVICE_TOKEN: "" },
  };
  for (const [help, settings] of Object.entries(words)) {
    await withApp(settings, async ({ fetch }) => {
      const text = await (await fetch(new Request(`${ORIGIN}/sign-in`))).text();
      assertStringIncludes(text, help);
    });
  }
});

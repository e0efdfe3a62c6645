/** Who may do what: every action with every role, found by walking all routes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { actionOf, NEEDED_ROLES, type Role } from "../../server/auth/roles.ts";
import { type App, ORIGIN, withApp } from "../app.ts";
import { INCIDENT_PATH, plantIncident } from "../planted_incident.ts";
import { pathOfEachRoute, requestOf } from "./route_requests.ts";

const OIDC = {
  OIDC_ISSUER: "https://login.example.com",
  OIDC_CLIENT_ID: "docket",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_READERS: "all",
  OIDC_OPERATORS: "ops",
};

/** Paths without a session of their own: signing in and out, and what has secrets of its own. */
const OPEN = /^\/(sign-in|sign-out|api\/|feeds\/|metrics)/;

async function cookieOf({ services }: App, role: Role): Promise<string> {
  const headers = new Headers();
  const memberships = [role === "operator" ? "group:ops" : "group:all"];
  const oidc = { subject: role, name: `The ${role}`, memberships };
  await services.sessions.write(headers, { token: null, service: "embedded", oidc }, ORIGIN);
  return headers.getSetCookie()[0].split(";")[0];
}

/** What every route answers, by the methods that it says it takes. */
async function actions(app: App): Promise<readonly (readonly [method: string, path: string])[]> {
  const cookie = await cookieOf(app, "operator");
  const found: [string, string][] = [];
  for (const path of pathOfEachRoute().filter((path) => !OPEN.test(path))) {
    const asked = new Request(ORIGIN + path, { method: "OPTIONS", headers: { cookie } });
    const { headers } = await app.fetch(asked);
    for (const method of headers.get("allow")?.split(", ") ?? []) {
      if (!["HEAD", "OPTIONS"].includes(method)) found.push([method, path]);
    }
  }
  return found;
}

Deno.test("[e2e] roles: the table lists every form of every route, and nothing else", () =>
  withApp(OIDC, async (app) => {
    const all = await actions(app);
    assert(all.length > 20, `${all.length} actions`);
    const named = all.map(([method, path]) => actionOf(new Request(ORIGIN, { method }), path));
    for (const action of named.filter((action) => !action.startsWith("GET "))) {
      assert(action in NEEDED_ROLES, `Name the role that ${action} needs in server/auth/roles.ts`);
    }
    for (const action of Object.keys(NEEDED_ROLES)) {
      assert(named.includes(action.split(" ", 2).join(" ")), `There is no ${action}`);
    }
  }));

Deno.test("[e2e] roles: every action is refused to exactly the roles that the table names", () =>
  withApp(OIDC, async (app) => {
    await plantIncident(app, { name: "Sales" });
    for (const role of ["reader", "operator"] as const) {
      const cookie = await cookieOf(app, role);
      for (const [method, path] of await actions(app)) {
        for (const spelled of [path, `${path}/`]) {
          const request = requestOf(ORIGIN, spelled, method, { cookie });
          const { status, body } = await app.fetch(request);
          await body?.cancel();
          const needed = NEEDED_ROLES[actionOf(request, path)] ?? "reader";
          assertEquals(
            status === 403,
            role === "reader" && needed === "operator",
            `${role}: ${method} ${spelled}, ${status}`,
          );
        }
      }
      const body = new URLSearchParams({ status: "done", meaning: "good", watched: "true" });
      const forAll = new Request(`${ORIGIN}/schedules/statuses`, {
        method: "POST",
        headers: { cookie },
        body,
      });
      assertEquals((await app.fetch(forAll)).status, role === "reader" ? 403 : 303);
    }
  }));

Deno.test("[e2e] roles: no page shows a reader a button that they can't use", () =>
  withApp({
    ...OIDC,
    MAIL_FROM: "docket@example.com",
    MAIL_TO: "ops@example.com",
    SMTP_URL: "smtp://127.0.0.1:1",
  }, async (app) => {
    await plantIncident(app, { name: "Sales" });
    const forms = async (role: Role, path: string) => {
      const headers = { cookie: await cookieOf(app, role) };
      const html = await (await app.fetch(new Request(ORIGIN + path, { headers }))).text();
      const found = html.matchAll(/<form[^>]*>|<button[^>]*>/g);
      let form = "";
      return [...found].flatMap(([tag]) => {
        if (tag.startsWith("<form")) {
          form = /method="post"/.test(tag) ? /action="([^"?#]*)/.exec(tag)?.[1] ?? path : "";
          return [];
        }
        if (/type="button"|formmethod="get"/.test(tag)) return [];
        return /formaction="([^"?#]*)/.exec(tag)?.[1] ?? (form === "" ? [] : form);
      });
    };
    const links = pathOfEachRoute().filter((path) => !OPEN.test(path)).concat(
      INCIDENT_PATH,
      "/schedules/101/plan?backtest=yes",
    );
    let hidden = 0;
    for (const path of links) {
      const shown = await forms("reader", path);
      for (const action of shown) {
        const needed = NEEDED_ROLES[actionOf(new Request(ORIGIN, { method: "POST" }), action)];
        // The form of a plan also previews it.
        const isPreview = action.endsWith("/plan");
        assert(
          action.startsWith("/sign-out") || needed === "reader" || isPreview,
          `${path}: ${action}`,
        );
      }
      hidden += (await forms("operator", path)).length - shown.length;
    }
    assert(hidden > 10, `${hidden} forms hidden`);
    const headers = { cookie: await cookieOf(app, "reader") };
    const plan =
      await (await app.fetch(new Request(`${ORIGIN}/schedules/101/plan?backtest=yes`, { headers })))
        .text();
    assertStringIncludes(plan, "Preview");
    assertEquals(/Confirm this plan|False alarm|name="name"/.test(plan), false);
  }));

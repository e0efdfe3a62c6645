/** Who may do what: every route file, method and action, for everybody who may come. */
import { assert, assertEquals } from "@std/assert";
import { NEEDED_ROLES, neededRole } from "../../server/actions/roles.ts";
import { type Role, ROLES } from "../../server/auth/role.ts";
import { headerFaults } from "../answer_headers.ts";
import { type App, HEADER, ORIGIN, sessionCookie, withApp } from "../app.ts";
import { INCIDENT_PATH, plantIncident } from "../planted_incident.ts";
import { RECORD_OPERATIONS } from "../../server/api/records.ts";
import { RECORDS_API } from "../../server/http/paths.ts";
import { RECORDS, routeFiles } from "../route_paths.ts";
import { withAppInFront } from "../service_on_port.ts";
import { METHODS, pathOfEachRoute, requestOf } from "./route_requests.ts";

const OIDC = {
  OIDC_ISSUER: "https://login.example.com",
  OIDC_CLIENT_ID: "docket",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_READERS: "all",
  OIDC_OPERATORS: "ops",
};

/** A service that has nothing, and who reads it for the records. */
const EMPTY = { fileSets: [], runs: { 101: [] } };
const OBSERVED = { OBSERVER_TOKEN: "observer" };

/** What takes a token in a header instead of a session. */
const API = /^\/api\/.*\//;

/** What checks its own token or secret, instead of a session. */
const OPEN = /^\/(sign-in|sign-out|api\/|metrics)/;

async function oidcCookie({ services }: App, group: string): Promise<string> {
  const headers = new Headers();
  const oidc = { subject: group, name: `One of ${group}`, memberships: [`group:${group}`] };
  const session = { token: null, service: services.identity, oidc };
  await services.sessions.write(headers, session, ORIGIN);
  return headers.getSetCookie()[0].split(";")[0];
}

const cookieOf = (app: App, role: Role) => oidcCookie(app, role === "operator" ? "ops" : "all");

/** A session with a Docket token of that role. */
async function docketCookie(app: App, role: "reader" | "operator"): Promise<string> {
  const token = await app.services.tokens!.add(`The ${role}`, role, new Date());
  return await sessionCookie(app, ORIGIN, token);
}

/** What the code of a route handles; of an operation, it is for the entry to say. */
const HANDLED = /^ {2}(?:async )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm;

Deno.test("roles: the table lists every method of every route file, and nothing else", async () => {
  const listed = new Set<string>();
  for (const [path, file] of routeFiles()) {
    const code = await Deno.readTextFile(file);
    const methods = [...code.matchAll(HANDLED)].map(([, method]) => method);
    const pattern = path.replace(/\[(\w+)\]/g, ":$1");
    if (path === RECORDS) continue;
    listed.add(pattern);
    if (code.includes("answerOperation(")) continue;
    assert(methods.length > 0, `${path} handles nothing`);
    const needed = Object.keys(NEEDED_ROLES[pattern] ?? {}).toSorted();
    assertEquals(
      needed,
      methods.toSorted(),
      `Name the roles of ${path} in server/actions/roles.ts`,
    );
  }
  for (const { path } of RECORD_OPERATIONS) listed.add(RECORDS_API + path);
  assertEquals(Object.keys(NEEDED_ROLES).filter((path) => !listed.has(path)), []);
});

Deno.test("roles: the table lists every operation of the API of records, and nothing else there", () => {
  const operations = RECORD_OPERATIONS.map(({ method, path }) => `${method} ${RECORDS_API}${path}`);
  const rows = Object.entries(NEEDED_ROLES).flatMap(([path, methods]) =>
    path.startsWith(`${RECORDS_API}/`)
      ? Object.keys(methods).map((method) => `${method} ${path}`)
      : []
  );
  assertEquals(operations.toSorted(), rows.toSorted());
});

async function statusOf(app: App, method: string, path: string, headers: HeadersInit) {
  const { status, body } = await app.fetch(requestOf(ORIGIN, path, method, headers));
  await body?.cancel();
  return status;
}

/** Whom each route lets in, with the role that they are supposed to have; null for nobody. */
async function walkAll(
  app: App,
  people: Readonly<Record<string, readonly [cookie: string, role: Role | null]>>,
): Promise<void> {
  for (const [who, [cookie, role]] of Object.entries(people)) {
    for (const path of pathOfEachRoute().filter((path) => !API.test(path))) {
      for (const method of METHODS) {
        const response = await app.fetch(requestOf(ORIGIN, path, method, { cookie }));
        await response.body?.cancel();
        const { status } = response;
        const said = `${who}: ${method} ${path}, ${status}`;
        assertEquals(headerFaults(response), [], said);
        const isSignIn = response.headers.get("location")?.startsWith("/sign-in") ?? false;
        if (method === "OPTIONS") assertEquals(status, 204, said);
        else if (!isListed(method, path)) assertEquals(status, 405, said);
        else {
          const needed = neededRole(method, path);
          const isOpen = needed === "everybody";
          const may = isOpen || role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
          if (isOpen) continue;
          assertEquals(isSignIn && status === 303, role === null, said);
          if (role !== null) assertEquals(status !== 403, may, said);
        }
      }
    }
  }
}

function isListed(method: string, path: string): boolean {
  try {
    return Boolean(neededRole(method, path));
  } catch {
    return false;
  }
}

Deno.test("[e2e] roles: with an upstream, each route's methods are as the table", () =>
  withAppInFront(EMPTY, async (app) => {
    await plantIncident(app, { name: "Sales" });
    await walkAll(app, {
      nobody: ["", null],
      "another token of the service": [await sessionCookie(app, ORIGIN, "other"), "user"],
      "the observer's token": [await sessionCookie(app, ORIGIN, "observer"), "operator"],
      "a Docket token of a reader": [await docketCookie(app, "reader"), "reader"],
      "a Docket token of an operator": [await docketCookie(app, "operator"), "operator"],
      "a made-up Docket token": [await sessionCookie(app, ORIGIN, "docket_1"), null],
    });
  }, OBSERVED));

Deno.test("[e2e] roles: with a provider, each route's methods are as the table", () =>
  withApp(OIDC, async (app) => {
    await plantIncident(app, { name: "Sales" });
    await walkAll(app, {
      nobody: ["", null],
      "in neither list": [await oidcCookie(app, "others"), null],
      "a reader": [await oidcCookie(app, "all"), "reader"],
      "an operator": [await oidcCookie(app, "ops"), "operator"],
      "the token of the service": [await sessionCookie(app, ORIGIN), "user"],
      "a Docket token of a reader": [await docketCookie(app, "reader"), "reader"],
      "a Docket token of an operator": [await docketCookie(app, "operator"), "operator"],
    });
  }));

Deno.test("[e2e] roles: the embedded service's own token is an operator's, a named one a reader's", () =>
  withApp({}, async (app) => {
    const cookies = [await sessionCookie(app, ORIGIN), await docketCookie(app, "reader")];
    const statuses = cookies.map((cookie) =>
      statusOf(app, "POST", "/schedules/check-all", { cookie })
    );
    assertEquals(await Promise.all(statuses), [303, 403]);
  }));

Deno.test("[e2e] roles: every method of the API is for the tokens that the table names", () =>
  withAppInFront(EMPTY, async (app, service) => {
    const add = (role: "reader" | "operator") =>
      app.services.tokens!.add(`The ${role}`, role, new Date());
    const tokens: readonly (readonly [token: string | null, role: Role | null])[] = [
      ...[[null, null], ["other", "user"]] as const,
      ...[[(await add("reader"))!, "reader"], [(await add("operator"))!, "operator"]] as const,
      ["observer", "operator"],
      ["docket_unknown", null],
    ];
    const paths = pathOfEachRoute().filter((path) => API.test(path));
    assert(paths.length >= 3);
    for (const [token, role] of tokens) {
      for (const path of paths) {
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
          const isKnown = isListed(method, path);
          if (role === null && !isKnown) continue;
          const status = await statusOf(app, method, path, token ? { [HEADER]: token } : {});
          const may = role !== null && isKnown &&
            ROLES.indexOf(role) >= ROLES.indexOf(neededRole(method, path) as Role);
          const expected = role === null ? 401 : !isKnown ? 405 : may ? null : 403;
          const said = `${role}: ${method} ${path}, ${status}`;
          // After ten wrong tokens, a client has to wait.
          if (token === "docket_unknown" && status === 429) continue;
          assertEquals([401, 403, 405].includes(status) ? status : null, expected, said);
        }
      }
    }
    const asked = service.requests.map(({ headers }) => headers[HEADER.toLowerCase()]);
    assertEquals([...new Set(asked)].toSorted(), ["observer", "other"]);
  }, OBSERVED));

Deno.test("[e2e] roles: no session opens the API of records, whoever is signed in", () =>
  withApp(OIDC, async (app) => {
    const paths = pathOfEachRoute().filter((path) => path.startsWith(`${RECORDS_API}/`));
    assert(paths.length > 10);
    for (const cookie of [await cookieOf(app, "operator"), await docketCookie(app, "operator")]) {
      const headers = { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin" };
      for (const path of paths) {
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
          assertEquals(await statusOf(app, method, path, headers), 401, `${method} ${path}`);
        }
      }
    }
  }));

Deno.test("roles: a test holds the answer of each operation on records", async () => {
  const folder = new URL("./", import.meta.url);
  let code = "";
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith("_test.ts")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    if (text.includes("record_calls.ts")) code += text;
  }
  const uncalled = RECORD_OPERATIONS.filter(({ id }) => !code.includes(`"${id}"`));
  assertEquals(uncalled.map(({ id }) => id), []);
});

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
        const needed = isListed("POST", action) && neededRole("POST", action);
        // The form of a plan also previews it.
        const isPreview = action.endsWith("/plan");
        assert(
          action.startsWith("/sign-out") || needed === "user" || needed === "reader" || isPreview,
          `${path}: ${action}`,
        );
      }
      hidden += (await forms("operator", path)).length - shown.length;
    }
    assert(hidden > 10, `${hidden} forms hidden`);
  }));

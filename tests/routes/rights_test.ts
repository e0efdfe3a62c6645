/** Who may do what: every route and method, for each role and for other sites' pages. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { allowedAt, mayOpen, neededRole, routeAt } from "../../server/actions/roles.ts";
import { type Role, ROLES } from "../../server/auth/role.ts";
import { RECORDS_API } from "../../server/http/paths.ts";
import { headerFaults } from "../answer_headers.ts";
import { storeChanges } from "../../server/store/runs/store_runs.ts";
import { type App, head, HEADER, HISTORY, ORIGIN, SEARCH, sessionCookie, signIn } from "../app.ts";
import { INCIDENT_PATH, plantIncident } from "../planted_incident.ts";
import { withAppInFront } from "../upstream.ts";
import { METHODS, pathOfEachRoute, requestOf } from "./route_requests.ts";

const OPERATIONS = [SEARCH, HISTORY];

/** What takes a token in a header instead of a session. */
const API = /^\/api\/.*\//;

/** Runs a test with a service of two schedules, the records of both, and a token for each role. */
function withRights(
  test: (app: App, tokens: Readonly<Record<Role, string>>) => Promise<void>,
): Promise<void> {
  const mail = {
    MAIL_FROM: "a@example.com",
    MAIL_TO: "b@example.com",
    SMTP_URL: "smtp://127.0.0.1:1",
  };
  return withAppInFront(
    { fileSets: [], runs: { 101: [], 102: makeRuns(9) } },
    async (app, service) => {
      const { tokens, records } = app.services;
      const { owners, watches, commit } = records!;
      await plantIncident(app, { name: "Sales" });
      await plantIncident(app, { name: "Salaries", scheduleId: 102 });
      const actor = { name: "Olga", known: "typed" } as const;
      await owners.save({ name: "Payroll team", quiet: null, changed: 1, actor }, {});
      await watches.change(102, { owner: "Payroll team" }, 1);
      const recipients = [{ userId: 7, displayName: "Eve Hidden", emailAddress: "eve@x.example" }];
      const startTime = new Date(Date.now() - 60_000).toISOString();
      const run = { ...makeRuns(1)[0], id: 99, status: "success", startTime, recipients };
      await commit([storeChanges(102, { put: [{ run }] }, Date.now())]);
      await test(app, {
        user: "other",
        reader: (await tokens!.add("The reader", "reader", new Date()))!,
        operator: (await tokens!.add("The operator", "operator", new Date()))!,
      });
      const sent = new Set(service.requests.map(({ headers }) => headers[HEADER.toLowerCase()]));
      assertEquals([...sent].filter((token) => token !== "observer" && token !== "other"), []);
    },
    { OBSERVER_TOKEN: "observer", ...mail },
  );
}

/** What became of a request: refused by a status, sent to sign in, or let in. */
function outcomeOf({ status, headers }: Response): number | "sign in" | "let in" {
  if (headers.get("location")?.startsWith("/sign-in")) return "sign in";
  return [401, 403, 405].includes(status) ? status : "let in";
}

/** What has to become of it. */
function expectedOf(method: string, path: string, role: Role | null): ReturnType<typeof outcomeOf> {
  if (method === "OPTIONS") return "let in";
  const isApi = API.test(path);
  if (isApi && role === null) return 401;
  const needed = neededOr405(method, path);
  if (needed === 405) return 405;
  if (role === null) return "sign in";
  return ROLES.indexOf(role) >= ROLES.indexOf(needed as Role) ? "let in" : 403;
}

function neededOr405(method: string, path: string) {
  try {
    return neededRole(method, path);
  } catch {
    return 405;
  }
}

Deno.test("[e2e] roles: each route's methods are for those whom the table names", () =>
  withRights(async (app, tokens) => {
    for (const role of [null, ...ROLES]) {
      const token = role && tokens[role];
      const cookie = token ? await sessionCookie(app, ORIGIN, token) : "";
      for (const path of pathOfEachRoute()) {
        for (const method of METHODS) {
          // What nobody may is refused before anybody is asked who they are; HEAD is as GET.
          if (role === "user" && (method === "HEAD" || neededOr405(method, path) === 405)) continue;
          const sent: HeadersInit = !API.test(path) ? { cookie } : token ? { [HEADER]: token } : {};
          const response = await head(app.fetch(requestOf(ORIGIN, path, method, sent)));
          const what = `${role}: ${method} ${path}, ${response.status}`;
          const isOperation = OPERATIONS.includes(path);
          assertEquals(headerFaults(response, { isOperation }), [], what);
          if (method === "OPTIONS" && !isOperation) {
            assertEquals([response.status, response.headers.get("allow")], [204, allowedAt(path)]);
          }
          if (neededOr405(method, path) === "everybody") continue;
          assertEquals(outcomeOf(response), expectedOf(method, path, role), what);
        }
      }
    }
    // No session opens the API of records, whoever is signed in.
    const cookie = await sessionCookie(app, ORIGIN, tokens.operator);
    const own = { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin" };
    for (const path of pathOfEachRoute().filter((path) => path.startsWith(`${RECORDS_API}/`))) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const { status } = await head(app.fetch(requestOf(ORIGIN, path, method, own)));
        assertEquals(status, 401, `${method} ${path}`);
      }
    }
  }));

/** What is no page, though it is asked for by GET. */
const FILES = ["/filesets/export", "/schedules/101/export", "/people/export"];

Deno.test("[e2e] other sites: what their pages send is refused, but for links to pages", () =>
  withRights(async (app, { operator }) => {
    const cookie = await sessionCookie(app, ORIGIN, operator);
    const foreign = { cookie, "sec-fetch-site": "cross-site" };
    const link = { ...foreign, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const routes = pathOfEachRoute();
    for (const path of routes) {
      for (const method of METHODS) {
        if (method === "OPTIONS" && OPERATIONS.includes(path)) continue;
        const what = `${method} ${path}`;
        const response = await app.fetch(requestOf(ORIGIN, path, method, foreign));
        assertEquals([response.status, response.headers.getSetCookie()], [403, []], what);
        const type = response.headers.get("content-type");
        const isApi = path.startsWith("/api/");
        assertEquals(type, isApi ? "application/problem+json" : "text/plain; charset=utf-8", what);
        const text = await response.text();
        if (method !== "HEAD") assertMatch(text, /another site's page/, what);
      }
    }
    for (const path of [...routes, ...[...OPERATIONS, ...FILES].map((path) => `${path}/`)]) {
      const { status } = await head(app.fetch(requestOf(ORIGIN, path, "GET", link)));
      const isPage = ![...OPERATIONS, ...FILES].includes(path.replace(/\/$/, "")) &&
        !path.startsWith(`${RECORDS_API}/`);
      assertEquals(status !== 403, isPage, path);
    }
  }));

/** Every page that a person can open, by its path. */
async function pagesOf(app: App, token: string): Promise<ReadonlyMap<string, string>> {
  const { get } = await signIn(app, token);
  const paths = pathOfEachRoute().filter((path) => !/^\/(sign|api|metrics)/.test(path));
  const more = [INCIDENT_PATH, "/people?q=eve", "/go?q=sal", "/schedules/102"];
  const pages = new Map<string, string>();
  for (const path of [...paths, ...more, "/schedules/102/plan?backtest=yes"]) {
    pages.set(path, (await get(path)).text);
  }
  return pages;
}

/** Where the buttons of a page's forms send them by POST. */
function actionsOn([path, html]: readonly [string, string]): readonly string[] {
  let form = "";
  return [...html.matchAll(/<form[^>]*>|<button[^>]*>/g)].flatMap(([tag]) => {
    if (tag.startsWith("<form")) {
      form = /method="post"/.test(tag) ? /action="([^"?#]*)/.exec(tag)?.[1] ?? path : "";
      return [];
    }
    if (/type="button"|formmethod="get"/.test(tag)) return [];
    return /formaction="([^"?#]*)/.exec(tag)?.[1] ?? (form === "" ? [] : form);
  });
}

/** Searches and what is stored in the browser; and files, which may be stored twice. */
const WITHOUT_KEY =
  /action="\/(sign-(in|out)|preferences)"|role="search"|class="stack (search|table-options)"|multipart/;
const RECORDED = /Sales|Salaries|Payroll|Eve Hidden|Olga|x\.example/;

Deno.test("[e2e] pages: buttons only for those who may use them, records who may see them", () =>
  withRights(async (app, tokens) => {
    const operators = await pagesOf(app, tokens.operator);
    const keys: string[] = [];
    for (const [path, text] of operators) {
      for (const form of text.match(/<form[^>]*method="post".*?<\/form>/gs) ?? []) {
        if (WITHOUT_KEY.test(form.split(">")[0])) continue;
        const [, key] = /name="form_key" value="([^"]+)"/.exec(form) ?? [];
        assert(key, `${path}: ${form.slice(0, 300)}`);
        keys.push(key);
      }
    }
    assert(keys.length > 10, String(keys.length));
    assertEquals(new Set(keys).size, keys.length);

    const readers = [...await pagesOf(app, tokens.reader)];
    for (const page of readers) {
      for (const action of actionsOn(page)) {
        const needed = neededOr405("POST", action);
        // The form of a plan also previews it.
        const isFor = needed === "user" || needed === "reader" ||
          /^\/sign-out|\/plan$/.test(action);
        assert(isFor, `${page[0]}: ${action}`);
      }
      for (const [, path] of page[1].matchAll(/ href="(\/[^"?#]*)/g)) {
        assert(routeAt(path) === undefined || mayOpen("reader", path), `${page[0]}: ${path}`);
      }
    }
    const hidden = [...operators].flatMap(actionsOn).length - readers.flatMap(actionsOn).length;
    assert(hidden > 10, `${hidden} buttons hidden`);
    assert(!readers.some(([, text]) => text.includes('name="meaning"')), "a status to explain");

    const users = await pagesOf(app, tokens.user);
    const forbidden = new RegExp(`${RECORDED.source}|href="/evidence`);
    for (const [path, text] of users) assertEquals(forbidden.exec(text)?.[0], undefined, path);
    const why =
      "so you see nothing that Docket records: ask whoever runs Docket for a Docket token";
    for (const path of ["/", "/schedules", "/incidents", "/people", "/owners", "/evidence"]) {
      assertStringIncludes(users.get(path)!, why, path);
    }
    assertStringIncludes(users.get("/")!, "without records");
  }));

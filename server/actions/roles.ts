/** Who may do what: the one table of every route and method. What it does not list is refused. */
import { type Role, ROLES } from "../auth/role.ts";
import { ProblemError } from "../http/problem.ts";

/** `everybody` needs no session: the route checks a secret of its own, or has none. */
type Needed = Role | "everybody";

/** By path and method, a fixed path before one with parameters. */
const NEEDED_ROLES: Readonly<Record<string, Readonly<Record<string, Needed>>>> = {
  "/sign-in": { GET: "everybody", POST: "everybody" },
  "/sign-out": { GET: "everybody", POST: "everybody" },
  "/metrics": { GET: "everybody" },
  "/api/:document": { GET: "everybody" },
  "/evidence/key": { GET: "everybody" },

  "/api/files/v1/filesets/search": { POST: "user" },
  "/api/content/v1/reportschedules/:scheduleId/history": { GET: "user" },

  "/api/docket/v1/incidents": { GET: "reader" },
  "/api/docket/v1/incidents/:incidentId": { GET: "reader" },
  "/api/docket/v1/incidents/:incidentId/events": { POST: "operator" },
  "/api/docket/v1/owners": { GET: "reader" },
  "/api/docket/v1/owners/:owner": { PUT: "operator", DELETE: "operator" },
  "/api/docket/v1/owners/:owner/test": { POST: "operator" },
  "/api/docket/v1/calendars": { GET: "reader" },
  "/api/docket/v1/calendars/:calendar": { PUT: "operator", DELETE: "operator" },
  "/api/docket/v1/people": { GET: "reader" },
  "/api/docket/v1/people/forgotten": { POST: "operator" },
  "/api/docket/v1/people/:personId": { GET: "reader" },
  "/api/docket/v1/people/:personId/decisions": { POST: "operator" },
  "/api/docket/v1/people/:personId/decisions/:decisionId": { DELETE: "operator" },
  "/api/docket/v1/statuses": { GET: "user", PUT: "operator" },
  "/api/docket/v1/watches": { GET: "reader", POST: "operator" },
  "/api/docket/v1/watches/:scheduleId": { PATCH: "operator", DELETE: "operator" },
  "/api/docket/v1/watches/:scheduleId/checks": { POST: "operator" },
  "/api/docket/v1/schedules": { GET: "reader", POST: "operator" },
  "/api/docket/v1/schedules/scans": { GET: "reader", POST: "operator", DELETE: "operator" },
  "/api/docket/v1/schedules/:scheduleId": { DELETE: "operator" },
  "/api/docket/v1/leavers": { GET: "reader", POST: "operator", DELETE: "operator" },

  // Without records, it says why there are none.
  "/": { GET: "user" },
  "/filesets": { GET: "user" },
  "/filesets/export": { GET: "user" },
  "/filesets/facets": { GET: "user" },
  "/filesets/:fileSetId": { GET: "user" },
  // The form may search for a person.
  "/go": { GET: "user", POST: "user" },
  // Stored in the person's own browser.
  "/preferences": { GET: "user", POST: "user" },

  "/schedules": { GET: "user" },
  "/schedules/watch": { POST: "operator" },
  "/schedules/file": { GET: "operator", POST: "operator" },
  "/schedules/find": { GET: "operator", POST: "operator" },
  "/schedules/:scheduleId": { GET: "user", POST: "user" },
  "/schedules/:scheduleId/export": { GET: "user" },
  "/schedules/:scheduleId/plan": { GET: "user", POST: "operator" },
  // The form is a search for a person.
  "/schedules/:scheduleId/recipients": { GET: "reader", POST: "reader" },
  "/schedules/:scheduleId/runs/:runId": { GET: "user" },

  "/evidence": { GET: "reader" },
  "/service": { GET: "reader", POST: "operator" },
  "/service/import": { GET: "operator", POST: "operator" },
  "/incidents": { GET: "reader", POST: "operator" },
  "/incidents/deliveries": { GET: "reader", POST: "operator" },
  "/incidents/:incidentId": { GET: "reader", POST: "operator" },
  "/owners": { GET: "reader", POST: "operator" },
  "/owners/:owner": { GET: "reader", POST: "operator" },
  // The form is a search for a person.
  "/people": { GET: "reader", POST: "reader" },
  "/people/export": { GET: "reader" },
  "/people/leavers": { GET: "operator", POST: "operator" },
  "/people/worklist": { GET: "reader" },
  "/people/:personId": { GET: "reader", POST: "operator" },
};

const PATTERNS = Object.keys(NEEDED_ROLES)
  .map((path) => [new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`), path] as const);

/**
 * The role that a request needs.
 *
 *     neededRole("POST", "/owners/Finance")  →  "operator"
 *
 * @throws {ProblemError} With status 403 for a path, and 405 for a method, that the table does not list
 */
export function neededRole(method: string, pathname: string): Needed {
  const methods = methodsAt(pathname);
  if (!methods) throw new ProblemError(403, "Docket has no such address, or lets nobody use it");
  const listed = method === "HEAD" ? "GET" : method;
  if (Object.hasOwn(methods, listed)) return methods[listed];
  const allow = allowedAt(pathname);
  throw new ProblemError(405, `Use ${allow} here`, { headers: { allow } });
}

/** The methods of a path for the header `Allow`. A page that answers GET also answers HEAD. */
export function allowedAt(pathname: string): string {
  const methods = Object.keys(methodsAt(pathname) ?? {});
  return [...methods.flatMap((each) => each === "GET" ? ["GET", "HEAD"] : [each]), "OPTIONS"]
    .join(", ");
}

function methodsAt(pathname: string) {
  const route = routeAt(pathname);
  return route === undefined ? undefined : NEEDED_ROLES[route];
}

/** The path in the table that a path is one of, such as `/owners/:owner`; the log has it, too. */
export function routeAt(pathname: string): string | undefined {
  const path = pathname.replace(/(?<=[^/])\/+$/, "");
  return PATTERNS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Whether a role suffices to open a page. */
export function mayOpen(role: Role, pathname: string): boolean {
  return suffices(role, neededRole("GET", pathname));
}

function suffices(role: Role, needed: Needed): boolean {
  return needed === "everybody" || ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * @param whyNoRecords Why a person may not see the records, as a sentence
 * @throws {ProblemError} With status 403 if the role does not suffice
 */
export function requireRole(role: Role, needed: Needed, whyNoRecords: string | null): void {
  if (suffices(role, needed)) return;
  throw new ProblemError(
    403,
    role === "user" && whyNoRecords ||
      "Only operators may do this, and you are signed in as a reader. Whoever runs " +
        "Docket names operators in OIDC_OPERATORS, or makes their tokens with --operator",
  );
}

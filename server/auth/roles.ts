/** Who may do what: a reader sees, and an operator also changes what everybody sees. */
import { ProblemError } from "../http/problem.ts";
import { routePattern } from "../http/paths.ts";

export type Role = "reader" | "operator";

/** The role that an action needs. Others need a reader if they only read, otherwise an operator. */
export const NEEDED_ROLES: Readonly<Record<string, Role>> = {
  // Stored in the reader's own browser.
  "POST /preferences": "reader",
  "POST /schedules/:id": "reader",
  "POST /schedules/statuses": "reader",
  // The same form, for all watched schedules.
  "POST /schedules/statuses watched": "operator",
  "POST /schedules/watch": "operator",
  "GET /schedules/file": "operator",
  "POST /schedules/file": "operator",
  "GET /schedules/find": "operator",
  "POST /schedules/find": "operator",
  "POST /schedules/check-all": "operator",
  "POST /schedules/:id/check-now": "operator",
  "POST /schedules/:id/plan": "operator",
  "POST /schedules/:id/silence": "operator",
  "POST /owners": "operator",
  "POST /owners/:id": "operator",
  // A search for a person.
  "POST /people": "reader",
  "POST /people/:id": "operator",
  "GET /people/leavers": "operator",
  "POST /people/leavers": "operator",
  "POST /incidents/:id": "operator",
  "POST /incidents/deliveries": "operator",
  "POST /incidents/feeds": "operator",
  // Feed links work for everybody who has them.
  "GET /incidents/feeds": "operator",
};

/** The action of a request, as written in `NEEDED_ROLES`. */
export function actionOf({ method }: Request, pathname: string): string {
  return `${method} ${routePattern(pathname.replace(/(?<=.)\/+$/, ""))}`;
}

/** @throws {ProblemError} With status 403 if the role does not suffice. */
export function requireRole(role: Role, action: string): void {
  const isReading = /^(GET|HEAD|OPTIONS) /.test(action);
  const needed = NEEDED_ROLES[action] ?? (isReading ? "reader" : "operator");
  if (role === needed || role === "operator") return;
  throw new ProblemError(
    403,
    "Only operators may do this, and you are signed in as a reader. Whoever runs Docket names the " +
      "operators in OIDC_OPERATORS",
  );
}

/** The role of a person with these groups and addresses; null if they have none. */
export function roleOf(
  memberships: readonly string[],
  { readers, operators }: {
    readonly readers: readonly string[];
    readonly operators: readonly string[];
  },
): Role | null {
  const isAmong = (names: readonly string[]) => memberships.some((each) => names.includes(each));
  return isAmong(operators) ? "operator" : isAmong(readers) ? "reader" : null;
}

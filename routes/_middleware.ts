import { logOf, type RequestLog } from "../server/log/log.ts";
import { type Preferences, readPreferences } from "../server/schedules/preferences.ts";
import { attachedTo } from "../server/program/request_services.ts";
import { isOperation } from "../server/http/cross_origin.ts";
import { type Problem, ProblemError } from "../server/http/problem.ts";
import { problemResponseFor } from "../server/http/problem_response.ts";
import { requireShortQuery } from "../server/http/request_query.ts";
import { routePattern } from "../server/http/route_pattern.ts";
import { isCrossOrigin, isNavigation } from "../server/http/same_origin.ts";
import type { Services } from "../server/program/services.ts";
import type { OpenSession } from "../server/auth/sessions.ts";
import { middleware } from "./$_middleware.ts";

declare global {
  interface ImportMeta {
    /** Set by Vite, which leaves out of a build what only development needs. */
    readonly env: { readonly DEV: boolean };
  }
}

export interface State {
  services: Services;
  requestId: string;
  /** The log, whose lines name the request. */
  log: RequestLog;
  /** Where the request comes from, to count by. */
  client: string;
  /** The signed-in person's session, or null. */
  session: OpenSession | null;
  readonly preferences: Preferences;
  /** The origin that browsers see. */
  origin: string;
}

/** Who signs in or out need not have a session: one can sign out also where none can be judged. */
const SESSIONLESS = /^\/sign-(in|out)\/?$/;

export default middleware(async (ctx) => {
  const { services, requestId, log, client } = attachedTo(ctx.req) ??
    await developmentServices(ctx.url);
  const { publicOrigin, serviceTokenHeader } = services.settings;
  const origin = publicOrigin ?? ctx.url.origin;
  if (
    isCrossOrigin(ctx.req, origin) &&
    !isAllowedCrossOrigin(ctx.req, ctx.url.pathname, serviceTokenHeader)
  ) {
    return problemResponseFor(
      ctx.req,
      foreignProblem(ctx.url.pathname, serviceTokenHeader),
      requestId,
    );
  }
  requireShortQuery(ctx.url);
  const session = SESSIONLESS.test(ctx.url.pathname)
    ? null
    : await currentSession(ctx.req.headers, { services, requestId, log }, origin);
  const preferences = readPreferences(ctx.req.headers);
  const response = await ctx.next({
    services,
    requestId,
    log,
    client,
    session,
    preferences,
    origin,
  });
  if (session) await services.sessions.renew(response.headers, session, origin);
  return response;
});

/** From another site, links may open pages, and scripts may bring a developer token of their own. */
function isAllowedCrossOrigin(request: Request, pathname: string, tokenHeader: string): boolean {
  return isOperation(pathname) ? request.headers.has(tokenHeader) : isNavigation(request, pathname);
}

/** Why the request of another site's page is rejected. */
function foreignProblem(pathname: string, tokenHeader: string): Problem {
  const why = isOperation(pathname)
    ? "A session works only on Docket's own pages; " +
      `from another site's page, send a developer token in the header ${tokenHeader}`
    : "This came from another site's page, so nothing was done";
  return new ProblemError(403, why).problem;
}

/** The session of a request, where its token still counts: it may have been revoked or replaced. */
async function currentSession(
  headers: Headers,
  { services, requestId, log }: Pick<State, "services" | "requestId" | "log">,
  origin: string,
): Promise<OpenSession | null> {
  const session = await services.sessions.read(headers, origin);
  if (session?.service !== services.identity) return null;
  // An upstream judges its tokens itself, with every call.
  const counts = services.kind === "upstream" ||
    await services.accepts(session.token, { requestId, log });
  return counts ? session : null;
}

/** The development server has no entry of ours that could attach services to requests. */
async function developmentServices({ pathname }: URL) {
  if (!import.meta.env.DEV) throw new Error("The request came past the server's entry");
  const { openDevelopmentServices } = await import("../server/program/development.ts");
  const services = await openDevelopmentServices();
  const requestId = crypto.randomUUID();
  const log = logOf({ requestId, route: routePattern(pathname) }, services.log);
  return { services, requestId, log, client: "development" };
}

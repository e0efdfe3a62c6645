import type { Actor } from "../lib/actor.ts";
import { allowedAt, neededRole, requireRole, routeAt } from "../server/actions/roles.ts";
import type { Role } from "../server/auth/role.ts";
import { type Log, logWith } from "../server/log/log.ts";
import { type Preferences, readPreferences } from "../server/schedules/preferences.ts";
import { attachedTo } from "../server/program/request_services.ts";
import { operationAt, safeRedirectPath } from "../server/http/paths.ts";
import { currentSession, type SignedIn, whyNoRecords } from "../server/backend/current_session.ts";
import { type ProblemDetails, ProblemError, problemResponseFor } from "../server/http/problem.ts";
import { MAX_QUERY_LENGTH, requireShortQuery } from "../server/http/request_query.ts";
import { isCrossOrigin, isNavigation } from "../server/http/cross_origin.ts";
import { whyNotObserved } from "../server/observer/service_observer.ts";
import type { Services } from "../server/program/services.ts";
import { middleware } from "./$_middleware.ts";

declare global {
  interface ImportMeta {
    /** Set by Vite, which leaves code for development out of a build. */
    readonly env: { readonly DEV: boolean };
  }
}

export interface RequestState {
  services: Services;
  requestId: string;
  /** A log that adds the request to its lines. */
  log: Log;
  client: string;
  signedIn: SignedIn | null;
  /** Who is signed in; null if nobody is, or their name is unknown. */
  person: Actor | null;
  /** Null if nobody is signed in. */
  role: Role | null;
  readonly preferences: Preferences;
  /** The origin that browsers see. */
  origin: string;
}
export type State = RequestState;

export default middleware(async (ctx) => {
  const { services, requestId, log, client } = attachedTo(ctx.req) ??
    await developmentServices(ctx.url);
  const origin = services.settings.publicOrigin ?? ctx.url.origin;
  // Other sites may link to pages. The API's operations have their own rules.
  const { pathname } = ctx.url;
  const operation = operationAt(pathname);
  const isAllowed = isNavigation(ctx.req, pathname) || operation;
  if (isCrossOrigin(ctx.req, origin) && !isAllowed) {
    return problemResponseFor(ctx.req, FROM_ANOTHER_SITE, requestId);
  }
  requireShortQuery(ctx.url);
  if (ctx.req.method === "OPTIONS" && !operation) {
    return new Response(null, { status: 204, headers: { allow: allowedAt(pathname) } });
  }
  // An operation, which comes here only in development, checks its own token.
  const needed = operation ? "everybody" : neededRole(ctx.req.method, pathname);
  // People can sign out even if sessions can't be checked.
  const signedIn = needed === "everybody"
    ? null
    : await currentSession(ctx.req.headers, origin, services, { requestId });
  if (needed !== "everybody" && !signedIn) {
    await ctx.req.body?.cancel();
    return ctx.redirect(signInPath(ctx.req, ctx.url), 303);
  }
  const role = signedIn?.role ?? null;
  const isWithout = role === "user" && services.records !== null;
  const shown = isWithout
    ? { ...services, records: null, noRecords: whyNoRecords(services.settings) }
    : services;
  if (role !== null) requireRole(role, needed, whyNotObserved(shown));
  const response = await ctx.next({
    services: shown,
    requestId,
    log,
    client,
    signedIn,
    person: signedIn?.person ?? null,
    role,
    preferences: readPreferences(ctx.req.headers),
    origin,
  });
  if (signedIn) await services.sessions.renew(response.headers, signedIn.session, origin);
  return response;
});

/** Where to sign in, with the way back: for a form, the page that it was sent from. */
function signInPath({ method, headers }: Request, url: URL): string {
  const isForm = method === "POST";
  const from = isForm ? URL.parse(headers.get("referer") ?? "") : url;
  const next = safeRedirectPath(from && from.pathname + from.search);
  const path = (next: string) =>
    `/sign-in?${new URLSearchParams({ next, ...isForm && { unsent: "" } })}`;
  return path(path(next).length > MAX_QUERY_LENGTH ? next.split("?")[0] : next);
}

const FROM_ANOTHER_SITE: ProblemDetails =
  new ProblemError(403, "The request came from another site's page, so it was rejected").problem;

/** The development server does not use our entry, which attaches the services to requests. */
async function developmentServices({ pathname, origin }: URL) {
  if (!import.meta.env.DEV) throw new Error("The request did not go through the server's entry");
  const { openDevelopmentServices } = await import("../server/program/development.ts");
  const services = openDevelopmentServices(origin);
  const requestId = crypto.randomUUID();
  const log = logWith({ requestId, route: routeAt(pathname) }, services.log);
  return { services, requestId, log, client: "development" };
}

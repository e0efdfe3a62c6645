import type { Actor } from "../lib/judgement/actor.ts";
import type { Role } from "../server/auth/roles.ts";
import { type Log, logWith } from "../server/log/log.ts";
import { type Preferences, readPreferences } from "../server/schedules/preferences.ts";
import { attachedTo } from "../server/program/request_services.ts";
import { operationAt, routePattern } from "../server/http/paths.ts";
import { currentSession, type SignedIn } from "../server/backend/current_session.ts";
import { type ProblemDetails, ProblemError, problemResponseFor } from "../server/http/problem.ts";
import { requireShortQuery } from "../server/http/request_query.ts";
import { isCrossOrigin, isNavigation } from "../server/http/cross_origin.ts";
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
  role: Role;
  readonly preferences: Preferences;
  /** The origin that browsers see. */
  origin: string;
}
export type State = RequestState;

/** Signing in or out needs no session: people can sign out even if sessions can't be checked. */
const SESSIONLESS = /^\/sign-(in|out)\/?$/;

export default middleware(async (ctx) => {
  const { services, requestId, log, client } = attachedTo(ctx.req) ??
    await developmentServices(ctx.url);
  const origin = services.settings.publicOrigin ?? ctx.url.origin;
  // Other sites may link to pages. The API's operations have their own rules.
  const isAllowed = isNavigation(ctx.req, ctx.url.pathname) || operationAt(ctx.url.pathname);
  if (isCrossOrigin(ctx.req, origin) && !isAllowed) {
    return problemResponseFor(ctx.req, FROM_ANOTHER_SITE, requestId);
  }
  requireShortQuery(ctx.url);
  const signedIn = SESSIONLESS.test(ctx.url.pathname)
    ? null
    : await currentSession(ctx.req.headers, origin, services, { requestId });
  const preferences = readPreferences(ctx.req.headers);
  const response = await ctx.next({
    services,
    requestId,
    log,
    client,
    signedIn,
    person: signedIn?.person ?? null,
    role: signedIn?.role ?? "reader",
    preferences,
    origin,
  });
  if (signedIn) await services.sessions.renew(response.headers, signedIn.session, origin);
  return response;
});

const FROM_ANOTHER_SITE: ProblemDetails =
  new ProblemError(403, "The request came from another site's page, so it was rejected").problem;

/** The development server does not use our entry, which attaches the services to requests. */
async function developmentServices({ pathname, origin }: URL) {
  if (!import.meta.env.DEV) throw new Error("The request did not go through the server's entry");
  const { openDevelopmentServices } = await import("../server/program/development.ts");
  const services = openDevelopmentServices(origin);
  const requestId = crypto.randomUUID();
  const log = logWith({ requestId, route: routePattern(pathname) }, services.log);
  return { services, requestId, log, client: "development" };
}

import { type Preferences, readPreferences } from "../server/preferences.ts";
import { attachedTo } from "../server/request_services.ts";
import { isForeign } from "../server/same_origin.ts";
import type { Services } from "../server/services.ts";
import type { Session } from "../server/sessions.ts";
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
  /** The signed-in person's session, or null. */
  session: Session | null;
  readonly preferences: Preferences;
  /** The origin that browsers see. */
  origin: string;
}

export default middleware(async (ctx) => {
  const { services, requestId } = attachedTo(ctx.req) ?? await developmentServices();
  const origin = services.settings.publicOrigin ?? ctx.url.origin;
  const foreign = isForeign(ctx.req, origin);
  if (
    foreign && !["GET", "HEAD"].includes(ctx.req.method) && !ctx.url.pathname.startsWith("/api/")
  ) {
    return new Response("This form was sent from another site, so nothing was done", {
      status: 403,
    });
  }
  const session = await currentSession(ctx.req.headers, { services, requestId }, origin);
  const preferences = readPreferences(ctx.req.headers);
  return await ctx.next({ services, requestId, session, preferences, origin });
});

/** The session of a request, where its token still counts: it may have been revoked or replaced. */
async function currentSession(
  headers: Headers,
  { services, requestId }: Pick<State, "services" | "requestId">,
  origin: string,
): Promise<Session | null> {
  const session = await services.sessions.read(headers, origin);
  if (session?.service !== services.identity) return null;
  // An upstream judges its tokens itself, with every call.
  const counts = services.kind === "upstream" ||
    await services.accepts(session.token, { requestId });
  return counts ? session : null;
}

/** The development server has no entry of ours that could attach services to requests. */
async function developmentServices() {
  if (!import.meta.env.DEV) throw new Error("The request came past the server's entry");
  const { openDevelopmentServices } = await import("../server/development.ts");
  return { services: await openDevelopmentServices(), requestId: crypto.randomUUID() };
}

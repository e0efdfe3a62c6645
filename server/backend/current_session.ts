import type { OpenSession, Sessions } from "../auth/sessions.ts";
import type { Caller, Service } from "./service.ts";

/** The session of a request, where its token still counts: it may have been revoked or replaced. */
export async function currentSession(
  headers: Headers,
  origin: string,
  services: Pick<Service, "kind" | "identity" | "accepts"> & { readonly sessions: Sessions },
  caller: Caller,
): Promise<OpenSession | null> {
  const session = await services.sessions.read(headers, origin);
  if (session?.service !== services.identity) return null;
  // An upstream judges its tokens itself, with every call.
  const counts = services.kind === "upstream" || await services.accepts(session.token, caller);
  return counts ? session : null;
}

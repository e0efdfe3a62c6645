import type { Actor } from "../../lib/judgement/actor.ts";
import type { OpenSession, Sessions } from "../auth/sessions.ts";
import type { Caller, Service } from "./service.ts";

/** Who sent a request. */
export interface SignedIn {
  readonly session: OpenSession;
  /** The developer token with which they read the service. */
  readonly token: string;
  /** Who they are; null if their token does not say so. */
  readonly person: Actor | null;
}

/** Who sent a request, where their token still counts: it may have been revoked or replaced. */
export async function currentSession(
  headers: Headers,
  origin: string,
  services: Pick<Service, "kind" | "identity" | "holderOf"> & { readonly sessions: Sessions },
  caller: Caller,
): Promise<SignedIn | null> {
  const session = await services.sessions.read(headers, origin);
  if (session?.service !== services.identity) return null;
  const { token } = session;
  // An upstream judges its tokens itself, with every call.
  if (services.kind === "upstream") return { session, token, person: null };
  const holder = await services.holderOf(token, caller);
  if (!holder) return null;
  const person: Actor | null = holder.name === null ? null : { name: holder.name, known: "token" };
  return { session, token, person };
}

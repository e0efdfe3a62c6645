import type { Actor } from "../../lib/judgement/actor.ts";
import { type Role, roleOf } from "../auth/roles.ts";
import type { Settings } from "../config/settings.ts";
import type { OpenSession, Sessions } from "../auth/sessions.ts";
import type { Caller, Service } from "./service.ts";

export interface SignedIn {
  readonly session: OpenSession;
  /** The developer token with which they read the service. */
  readonly token: string;
  /** Who they are; null if their token does not say so. */
  readonly person: Actor | null;
  readonly role: Role;
}

/** Who sent a request, if their token is still valid: it may have been revoked or replaced. */
export async function currentSession(
  headers: Headers,
  origin: string,
  services: Pick<Service, "kind" | "identity" | "holderOf" | "embeddedToken"> & {
    readonly sessions: Sessions;
    readonly settings: Pick<Settings, "oidc" | "observer">;
  },
  caller: Caller,
): Promise<SignedIn | null> {
  const session = await services.sessions.read(headers, origin);
  if (session?.service !== services.identity) return null;
  const { token, oidc: named } = session;
  const { oidc, observer } = services.settings;
  if (named) {
    // By the current settings: they may have changed since the person signed in.
    const role = oidc && roleOf(named.memberships, oidc);
    const own = services.embeddedToken ?? observer.token;
    const person: Actor = { name: named.name, known: "oidc" };
    return role && own !== null ? { session, token: own, person, role } : null;
  }
  if (token === null) return null;
  const role: Role = oidc ? "reader" : "operator";
  // An upstream judges its tokens itself, with every call.
  if (services.kind === "upstream") return { session, token, person: null, role };
  const holder = await services.holderOf(token, caller);
  if (!holder) return null;
  const person: Actor | null = holder.name === null ? null : { name: holder.name, known: "token" };
  return { session, token, person, role };
}

import type { Actor } from "../../lib/judgement/actor.ts";
import { type Role, roleOf } from "../auth/roles.ts";
import type { Settings } from "../config/settings.ts";
import type { OpenSession, Sessions } from "../auth/sessions.ts";
import type { Caller, Service } from "./service.ts";

export interface SignedIn {
  readonly session: OpenSession;
  readonly token: string;
  /** The person; null if only their token is known. */
  readonly person: Actor | null;
  readonly role: Role;
}

/** The person who sent a request; null if their token was revoked or replaced. */
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
  const { token, oidc: oidcPerson } = session;
  const { oidc, observer } = services.settings;
  if (oidcPerson) {
    // Uses the current settings: they may have changed since the person signed in.
    const role = oidc && roleOf(oidcPerson.memberships, oidc);
    const docketsToken = services.embeddedToken ?? observer.token;
    const person: Actor = { name: oidcPerson.name, known: "oidc" };
    return role && docketsToken !== null ? { session, token: docketsToken, person, role } : null;
  }
  if (token === null) return null;
  const role: Role = oidc ? "reader" : "operator";
  // An upstream checks the token of every call itself.
  if (services.kind === "upstream") return { session, token, person: null, role };
  const holder = await services.holderOf(token, caller);
  if (!holder) return null;
  const person: Actor | null = holder.name === null ? null : { name: holder.name, known: "token" };
  return { session, token, person, role };
}

import type { Actor } from "../../lib/actor.ts";
import { findRole, type Role } from "../auth/role.ts";
import type { OpenSession, Sessions } from "../auth/sessions.ts";
import type { Settings } from "../config/settings.ts";
import type { Caller, Service } from "./service.ts";

export interface SignedIn {
  readonly session: OpenSession;
  /** The token with which Docket reads the service for the person. */
  readonly token: string;
  /** The person; null if only their token is known. */
  readonly person: Actor | null;
  readonly role: Role;
}

/** The person who sent a request; null if their token is no longer accepted. */
export async function currentSession(
  headers: Headers,
  origin: string,
  services: Pick<Service, "identity" | "findHolder" | "embeddedToken"> & {
    readonly sessions: Sessions;
    readonly settings: Pick<Settings, "oidc" | "observer">;
  },
  caller: Caller,
): Promise<SignedIn | null> {
  const session = await services.sessions.read(headers, origin);
  if (session?.service !== services.identity) return null;
  const { token, oidc: oidcPerson } = session;
  if (oidcPerson) {
    const { oidc, observer } = services.settings;
    // Uses the current settings: they may have changed since the person signed in.
    const role = oidc && findRole(oidcPerson.memberships, oidc);
    const docketsToken = services.embeddedToken ?? observer.token;
    const person: Actor = { name: oidcPerson.name, known: "oidc" };
    return role && docketsToken !== null ? { session, token: docketsToken, person, role } : null;
  }
  const holder = token === null
    ? null
    : await services.findHolder(token, caller, { purpose: "session" });
  if (!holder) return null;
  const { name, role, serviceToken } = holder;
  const person: Actor | null = name === null ? null : { name, known: "token" };
  return { session, token: serviceToken, person, role };
}

/** Why a person with a token of the service sees no records, and what to ask for, as a sentence. */
export function whyNoRecords({ oidc, allReadRecords }: Settings): string {
  const docketToken = "ask whoever runs Docket for a Docket token (deno task token add NAME)";
  if (oidc) {
    return "You signed in with a token of the service, so you see nothing that Docket records: " +
      `sign in with ${new URL(oidc.issuer).host}, or ${docketToken}`;
  }
  return allReadRecords
    ? "The service gave your token no good answer in the last five minutes, so you see nothing that " +
      `Docket records: open what your token may read, or ${docketToken}`
    : "You signed in with a token of the service, so you see nothing that Docket records: " +
      docketToken;
}

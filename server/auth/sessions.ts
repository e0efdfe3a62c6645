/** Sessions: a signed-in person's developer token, or who they are, sealed in a cookie. */
import { createHash } from "node:crypto";
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import type { OidcPerson } from "./identity.ts";
import { createSealedCookies, describeCookie } from "./sealed_cookies.ts";
import { createSealing } from "./sealing.ts";

interface Session {
  /** The developer token that the person signed in with; null if they signed in by OpenID Connect. */
  readonly token: string | null;
  /** The person that the identity provider named; null if they signed in with a token. */
  readonly oidc?: OidcPerson | null;
  /** The service that the token belongs to; it is never sent to another. */
  readonly service: string;
}

/** A session as stored in its cookie; times in milliseconds since 1970. */
export interface OpenSession extends Session {
  readonly id: string;
  readonly startedAt: number;
  /** When the cookie was sealed, which is about when the person was last active. */
  readonly sealedAt: number;
}

const SESSION_LIFETIME_MS = 12 * HOUR;
const SESSION_IDLE_MS = HOUR;
/** The age at which a cookie is renewed, so that not every response sets one. */
const SESSION_RENEWAL_MS = 5 * MINUTE;

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions, sealed with the first key and read with any, so that keys can be rotated. */
export function createSessions(
  keys: readonly string[],
  { ended = createEndedSessions(), now = Date.now }: {
    readonly ended?: EndedSessions;
    readonly now?: () => number;
  } = {},
) {
  const cookies = createSealedCookies(createSealing(keys));

  async function putCookie(headers: Headers, session: OpenSession, origin: string): Promise<void> {
    const maxAge = Math.ceil((sessionEnd(session) - now()) / 1000);
    await cookies.put(headers, "session", session, { origin, maxAge });
  }

  /** The session in a request's cookie, whether it was ended on the server or not. */
  async function unsealed(headers: Headers, origin: string): Promise<OpenSession | null> {
    const session = await cookies.read(headers, "session", origin) as OpenSession | undefined;
    // Without valid times, the comparison is with NaN and therefore false.
    return session && now() < sessionEnd(session) ? session : null;
  }

  return {
    /** The session of a request, or null: no cookie, expired, tampered with, or of an unknown key. */
    async read(headers: Headers, origin: string): Promise<OpenSession | null> {
      const session = await unsealed(headers, origin);
      if (!session) return null;
      const endedBefore = await ended.endedBefore(Object.values(endNames(session)));
      return session.startedAt < endedBefore ? null : session;
    },
    /** Starts a session by setting its cookie. */
    async write(headers: Headers, session: Session, origin: string): Promise<void> {
      const startedAt = now();
      const id = crypto.randomUUID();
      await putCookie(headers, { ...session, id, startedAt, sealedAt: startedAt }, origin);
    },
    /** Ends a session, so that copies of its cookie are worthless; or all sessions of the person. */
    async end(headers: Headers, origin: string, everywhere = false): Promise<void> {
      const session = await unsealed(headers, origin);
      if (!session) return;
      const { single, shared } = endNames(session);
      const expires = now() + SESSION_LIFETIME_MS;
      const ends = [{ name: single, before: session.startedAt + 1, expires }];
      if (everywhere) ends.push({ name: shared, before: now(), expires });
      // In parallel, so that all take effect in this process even if the store fails.
      await Promise.all(ends.map((end) => ended.add(end, now())));
    },
    /** Whether an attempt to sign in is used for the first time in any process that shares the list. */
    async useOnce(state: string): Promise<boolean> {
      const name = `attempt ${sha256(state)}`;
      if (await ended.endedBefore([name]) > -Infinity) return false;
      await ended.add({ name, before: now(), expires: now() + SESSION_LIFETIME_MS }, now());
      return true;
    },
    /** Renews the cookie when it is old enough, unless the response sets one already. */
    async renew(headers: Headers, session: OpenSession, origin: string): Promise<void> {
      if (now() - session.sealedAt < SESSION_RENEWAL_MS || now() >= sessionEnd(session)) return;
      const { name } = describeCookie(origin, "session");
      const isSet = headers.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`));
      if (!isSet) await putCookie(headers, { ...session, sealedAt: now() }, origin);
    },
    clear: (headers: Headers, origin: string) => cookies.remove(headers, "session", origin),
  };
}

/** Ends the sessions with a name; times in milliseconds. */
interface SessionEnd {
  readonly name: string;
  /** Sessions that started before this are ended. */
  readonly before: number;
  /** When all of them have expired anyway. */
  readonly expires: number;
}

export interface EndedSessions {
  /** Adds to the list, and removes what expired before `now`. */
  add(end: SessionEnd, now: number): Promise<void>;
  /** Sessions with any of these names that started before this time are ended. */
  endedBefore(names: readonly string[]): Promise<number>;
}

/**
 * A list in this process, and in `store` for other processes. In this process, an end takes effect at
 * once, even if the store can't be written.
 */
export function createEndedSessions(store?: EndedSessions): EndedSessions {
  const ends = new Map<string, SessionEnd>();
  return {
    async add(end, now) {
      for (const [name, { expires }] of ends) {
        if (expires < now) ends.delete(name);
      }
      ends.set(end.name, end);
      await store?.add(end, now);
    },
    async endedBefore(names) {
      const here = names.map((name) => ends.get(name)?.before ?? -Infinity);
      return Math.max(...here, await store?.endedBefore(names) ?? -Infinity);
    },
  };
}

/** Names by which a session is ended: alone, or with its person's. Neither reveals the token. */
function endNames({ id, token, service, oidc }: OpenSession) {
  return {
    single: `session ${id}`,
    // No token has a space.
    shared: `token ${sha256(`${service} ${token ?? `oidc ${oidc?.subject}`}`)}`,
  };
}

function sessionEnd({ startedAt, sealedAt }: OpenSession): number {
  return Math.min(startedAt + SESSION_LIFETIME_MS, sealedAt + SESSION_IDLE_MS);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

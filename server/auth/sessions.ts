/** Sessions: the developer token of a signed-in person, sealed into a cookie only the server can read. */
import { defaults, type password, seal, unseal } from "iron-webcrypto";
import { deleteCookie, setCookie } from "@std/http/cookie";
import { readCookies } from "../http/cookies.ts";

/** What a session holds. */
export interface Session {
  /** The developer token that the person signed in with. */
  readonly token: string;
  /** The service whose token it is; another one never gets it. */
  readonly service: string;
}

/** A session as its cookie has it: times in milliseconds. */
export interface OpenSession extends Session {
  /** When the person signed in. */
  readonly began: number;
  /** When the cookie was sealed, which is nearly when the person was last here. */
  readonly seen: number;
}

/** How long a session lives after signing in, however much it is used. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

/** How long a session lives without a request. */
export const SESSION_IDLE_MS = 60 * 60 * 1000;

/** How old a cookie gets before a request renews it, so that not every answer carries one. */
export const SESSION_RENEWAL_MS = 5 * 60 * 1000;

/** Seals sessions into cookies and opens them again, for the origin that browsers see. */
export interface Sessions {
  /** The session in a request's cookie, or null: none, expired, tampered with, or an unknown key. */
  read(headers: Headers, origin: string): Promise<OpenSession | null>;
  /** Begins a session: puts its cookie into the headers of an answer. Those before it are over. */
  write(headers: Headers, session: Session, origin: string): Promise<void>;
  /** Renews the cookie of a session in use, when it is time and the answer has none of its own. */
  renew(headers: Headers, session: OpenSession, origin: string): Promise<void>;
  /** Tells the browser to drop the cookie, and that sessions until now are over. */
  clear(headers: Headers, origin: string): void;
}

/**
 * Sessions sealed with the first key, and opened with any of them, so that keys can be rotated. `now`
 * is in milliseconds.
 */
export async function createSessions(
  keys: readonly string[],
  now: () => number = Date.now,
): Promise<Sessions> {
  const secrets: Record<string, password.Secret> = {};
  for (const secret of keys) {
    const id = await keyId(secret);
    secrets[id] = { id, secret };
  }
  const newest = secrets[await keyId(keys[0])];
  // How long a session lives is said in it, since renewing must not prolong its end.
  const options = { ...defaults, ttl: 0 };

  async function putCookie(headers: Headers, session: OpenSession, origin: string): Promise<void> {
    setCookie(headers, {
      ...cookieOf(origin),
      value: await seal(session, newest, options),
      maxAge: Math.ceil((endOf(session) - now()) / 1000),
    });
  }

  /**
   * Has the browser say from when on a session counts: an answer that was on its way may still renew
   * one that was ended or replaced meanwhile.
   */
  function putSince(headers: Headers, since: number, origin: string): void {
    setCookie(headers, {
      ...cookieOf(origin, "since"),
      value: String(since),
      maxAge: SESSION_LIFETIME_MS / 1000,
    });
  }

  return {
    async read(headers, origin) {
      const cookies = readCookies(headers);
      const sealed = cookies[cookieOf(origin).name];
      if (!sealed) return null;
      try {
        const session = await unseal(sealed, secrets, options) as OpenSession;
        if (session.began < Number(cookies[cookieOf(origin, "since").name])) return null;
        // One without times is no session: the comparison with what is not a number is false.
        return now() < endOf(session) ? session : null;
      } catch {
        return null;
      }
    },

    async write(headers, { token, service }, origin) {
      const began = now();
      await putCookie(headers, { token, service, began, seen: began }, origin);
      putSince(headers, began, origin);
    },

    async renew(headers, session, origin) {
      const { name } = cookieOf(origin);
      const isSet = headers.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`));
      if (isSet || now() - session.seen < SESSION_RENEWAL_MS || now() >= endOf(session)) return;
      await putCookie(headers, { ...session, seen: now() }, origin);
    },

    clear(headers, origin) {
      const cookie = cookieOf(origin);
      deleteCookie(headers, cookie.name, cookie);
      putSince(headers, now() + 1, origin);
    },
  };
}

/** When a session ends if nothing more is asked for. */
function endOf({ began, seen }: OpenSession): number {
  return Math.min(began + SESSION_LIFETIME_MS, seen + SESSION_IDLE_MS);
}

/**
 * The cookies of an origin. Over TLS the `__Host-` prefix has the browser refuse them from anywhere but
 * this host; without, the port is in their names, because browsers share cookies between ports.
 */
function cookieOf(origin: string, what: "session" | "since" = "session") {
  const { protocol, port } = new URL(origin);
  const secure = protocol === "https:";
  return {
    name: secure ? `__Host-docket_${what}` : `docket_${what}_${port || 80}`,
    path: "/",
    httpOnly: true,
    sameSite: "Lax" as const,
    secure,
  };
}

/** Names a key without revealing it, so that a sealed cookie says which key opens it. */
async function keyId(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return new Uint8Array(digest).toHex().slice(0, 16);
}

/** Sessions: the developer token of a signed-in person, sealed into a cookie only the server can read. */
import { defaults, type password, seal, unseal } from "iron-webcrypto";
import { deleteCookie, setCookie } from "@std/http/cookie";
import { cookiesOf } from "./cookies.ts";

/** What a session holds. */
export interface Session {
  /** The developer token that the person signed in with. */
  readonly token: string;
  /** The service whose token it is; another one never gets it. */
  readonly service: string;
}

/** How long a session lives after signing in. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

/** Seals sessions into cookies and opens them again, for the origin that browsers see. */
export interface Sessions {
  /** The session in a request's cookie, or null: none, expired, tampered with, or an unknown key. */
  read(headers: Headers, origin: string): Promise<Session | null>;
  /** Puts a session's cookie into the headers of an answer. */
  write(headers: Headers, session: Session, origin: string): Promise<void>;
  /** Tells the browser to drop the cookie. */
  clear(headers: Headers, origin: string): void;
}

/** Sessions sealed with the first key, and opened with any of them, so that keys can be rotated. */
export async function createSessions(keys: readonly string[]): Promise<Sessions> {
  const secrets: Record<string, password.Secret> = {};
  for (const secret of keys) {
    const id = await keyId(secret);
    secrets[id] = { id, secret };
  }
  const newest = secrets[await keyId(keys[0])];
  const options = { ...defaults, ttl: SESSION_LIFETIME_MS };

  return {
    async read(headers, origin) {
      const sealed = cookiesOf(headers)[cookieOf(origin).name];
      if (!sealed) return null;
      try {
        return await unseal(sealed, secrets, options) as Session;
      } catch {
        return null;
      }
    },

    async write(headers, session, origin) {
      setCookie(headers, {
        ...cookieOf(origin),
        value: await seal(session, newest, options),
        maxAge: SESSION_LIFETIME_MS / 1000,
      });
    },

    clear(headers, origin) {
      const cookie = cookieOf(origin);
      deleteCookie(headers, cookie.name, cookie);
    },
  };
}

/**
 * The cookie of an origin. Over TLS the `__Host-` prefix has the browser refuse it from anywhere but
 * this host; without, the port is in its name, because browsers share cookies between ports.
 */
function cookieOf(origin: string) {
  const { protocol, port } = new URL(origin);
  const secure = protocol === "https:";
  return {
    name: secure ? "__Host-docket_session" : `docket_session_${port || 80}`,
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

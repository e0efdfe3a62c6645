/** Cookies: reading Docket's own, and the attributes of those that are kept. */

export const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Docket's own cookies; others of the same host are ignored. */
const OWN_NAME = /^\s*(__Host-)?docket_/;

/** The most characters that are read: several times the length of all of Docket's own cookies. */
const MAX_LENGTH = 32 * 1024;

type Cookies = Readonly<Record<string, string>>;

/** Several parts of a page need the cookies of one request. */
const read = new WeakMap<Headers, Cookies>();

/** A request's cookies by name, Docket's own only; malformed ones are ignored. */
export function readCookies(headers: Headers): Cookies {
  const known = read.get(headers);
  if (known) return known;
  const pairs = (headers.get("cookie") ?? "").slice(0, MAX_LENGTH).split(";");
  const cookies = Object.fromEntries(
    pairs.filter((pair) => OWN_NAME.test(pair) && pair.includes("=")).map((pair) => {
      const end = pair.indexOf("=");
      return [pair.slice(0, end).trim(), pair.slice(end + 1).trim()];
    }),
  );
  read.set(headers, cookies);
  return cookies;
}

export function persistentCookie(secure: boolean) {
  return { path: "/", sameSite: "Lax", secure, maxAge: YEAR_SECONDS } as const;
}

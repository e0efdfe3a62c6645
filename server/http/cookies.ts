import { getCookies } from "@std/http/cookie";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** A request's cookies by name; malformed ones are ignored. */
export function readCookies(headers: Headers): Readonly<Record<string, string>> {
  const pairs = headers.get("cookie")?.split(";") ?? [];
  return Object.assign({}, ...pairs.map(readPair));
}

/** The attributes of a cookie that is kept for a year. */
export function persistentCookie(secure: boolean) {
  return { path: "/", sameSite: "Lax", secure, maxAge: YEAR_SECONDS } as const;
}

function readPair(cookie: string): Record<string, string> {
  try {
    return getCookies(new Headers({ cookie: cookie.trim() }));
  } catch {
    return {};
  }
}

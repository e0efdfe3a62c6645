import { getCookies } from "@std/http/cookie";

/** A request's cookies by name. One that is malformed, set by whomever, does not hide the others. */
export function cookiesOf(headers: Headers): Readonly<Record<string, string>> {
  const pairs = headers.get("cookie")?.split(";") ?? [];
  return Object.assign({}, ...pairs.map(readPair));
}

function readPair(cookie: string): Record<string, string> {
  try {
    return getCookies(new Headers({ cookie: cookie.trim() }));
  } catch {
    return {};
  }
}

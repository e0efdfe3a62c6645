/** Docket's own cookies: reading them, the notice for the next page, and a person's name. */
import { deleteCookie, setCookie } from "@std/http/cookie";

export const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Docket's own cookies; others of the same host are ignored. */
const OWN_NAME = /^\s*(__Host-)?docket_/;

/** A request's cookies by name, Docket's own only; malformed ones are ignored. */
export function readCookies(headers: Headers): Readonly<Record<string, string>> {
  const pairs = (headers.get("cookie") ?? "").split(";");
  return Object.fromEntries(
    pairs.filter((pair) => OWN_NAME.test(pair) && pair.includes("=")).map((pair) => {
      const end = pair.indexOf("=");
      return [pair.slice(0, end).trim(), pair.slice(end + 1)];
    }),
  );
}

export function persistentCookie(secure: boolean) {
  return { path: "/", sameSite: "Lax", secure, maxAge: YEAR_SECONDS } as const;
}

const NOTICE_COOKIE = "docket_notice";
/** A notice is dropped if no page showed it by then. */
const MAX_AGE_SECONDS = 60;

/** Makes the next page show a notice, named by a code such as `saved-plan`. */
export function leaveNotice(headers: Headers, code: string, origin: string): void {
  setCookie(headers, {
    name: NOTICE_COOKIE,
    value: code,
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: origin.startsWith("https:"),
    maxAge: MAX_AGE_SECONDS,
  });
}

export function readNotice(headers: Headers): string {
  return readCookies(headers)[NOTICE_COOKIE] ?? "";
}

export function removeShownNotice(request: Request, response: Response): void {
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (request.method === "GET" && isPage && readNotice(request.headers)) {
    deleteCookie(response.headers, NOTICE_COOKIE, { path: "/" });
  }
}

const NAME_COOKIE = "docket_name";

export function readPersonName(headers: Headers): string {
  // Encoded as a form field: a cookie allows few characters, and decoding never throws.
  return new URLSearchParams(readCookies(headers)[NAME_COOKIE] ?? "").get("name") ?? "";
}

/** Remembers the name typed in a form; if the form has no such field, the last one stays. */
export function writePersonName(headers: Headers, name: string | null, secure: boolean): void {
  if (name === null) return;
  const value = String(new URLSearchParams({ name }));
  setCookie(headers, { name: NAME_COOKIE, value, httpOnly: true, ...persistentCookie(secure) });
}

export function forgetPersonName(headers: Headers): void {
  deleteCookie(headers, NAME_COOKIE, { path: "/" });
}

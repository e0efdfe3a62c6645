/** The name that somebody gave with an action, kept in their browser: the next action is one click. */
import { deleteCookie, setCookie } from "@std/http/cookie";
import { persistentCookie, readCookies } from "./cookies.ts";

const COOKIE = "docket_name";

/** The name given last; empty if none was. */
export function readPersonName(headers: Headers): string {
  // As a form's field, for a cookie takes few characters, and decoding this never throws.
  return new URLSearchParams(readCookies(headers)[COOKIE] ?? "").get("name") ?? "";
}

export function writePersonName(headers: Headers, name: string, secure: boolean): void {
  const value = String(new URLSearchParams({ name }));
  setCookie(headers, { name: COOKIE, value, httpOnly: true, ...persistentCookie(secure) });
}

export function forgetPersonName(headers: Headers): void {
  deleteCookie(headers, COOKIE, { path: "/" });
}

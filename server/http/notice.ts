/** What the next page says once, such as that something was saved. A reload doesn't repeat it. */
import { deleteCookie, setCookie } from "@std/http/cookie";
import { readCookies } from "./cookies.ts";

const COOKIE = "docket_notice";

/** A page that is not shown by then has nothing to say. */
const MAX_AGE_SECONDS = 60;

/** Has the next page show a notice, by its code such as `saved-plan`. */
export function leaveNotice(headers: Headers, code: string, origin: string): void {
  setCookie(headers, {
    name: COOKIE,
    value: code,
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: origin.startsWith("https:"),
    maxAge: MAX_AGE_SECONDS,
  });
}

/** The code of the notice to show; empty if there is none. */
export function readNotice(headers: Headers): string {
  return readCookies(headers)[COOKIE] ?? "";
}

/** Removes the notice once a page showed it. */
export function removeShownNotice(request: Request, response: Response): void {
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (request.method === "GET" && isPage && readNotice(request.headers)) {
    deleteCookie(response.headers, COOKIE, { path: "/" });
  }
}

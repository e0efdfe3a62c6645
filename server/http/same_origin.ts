/** Where a request comes from: Docket's own pages, a program, or the page of another site. */

/**
 * Whether a request was sent by another site's page, or by one of this site on another origin.
 * Browsers say where a request comes from in `Sec-Fetch-Site`, older ones in `Origin`; programs say
 * neither, and carry no cookies to misuse.
 */
export function isCrossOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const from = request.headers.get("origin");
  return from !== null && from !== origin;
}

/** Paths of what is downloaded, or fetched by a page of Docket's own. */
const FILES = /^\/(filesets\/export|schedules\/[^/]+\/(rows|recipients\.csv))\/?$/;

/** Whether a request opens a page in a tab of its own, as following a link does: not in a frame. */
export function isNavigation({ method, headers }: Request, pathname: string): boolean {
  return !FILES.test(pathname) && method === "GET" &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}

/** Whether a request comes from Docket's own pages, a program, or another site's page. */

/**
 * Whether a request was sent by a page of another origin. Browsers say so in `Sec-Fetch-Site`, older
 * ones in `Origin`. Programs send neither, and have no cookies that could be misused.
 */
export function isCrossOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const from = request.headers.get("origin");
  return from !== null && from !== origin;
}

/** Paths of downloads, and of data that Docket's own pages fetch. */
const FILES = /^\/(filesets\/export|go\/matches|schedules\/[^/]+\/(export|recipients\.csv))\/?$/;

/** Whether a request opens a page in a tab, as following a link does; not in a frame. */
export function isNavigation({ method, headers }: Request, pathname: string): boolean {
  return !FILES.test(pathname) && method === "GET" &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}

/** Requests from other origins: how they are recognized, and what they may do. */

/** How long browsers keep a preflight response; two hours is the most that they allow. */
const PREFLIGHT_SECONDS = 7200;

/** The response to OPTIONS at an operation, which may be a browser's preflight request. */
export function preflightResponse(allowed: string, tokenHeader: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "allow": allowed,
      "access-control-allow-methods": allowed,
      "access-control-allow-headers": `${tokenHeader}, Content-Type`,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    },
  });
}

/** Allows scripts of any origin to read a response to a request without browser credentials. */
export function addCorsHeaders(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", "Retry-After, X-Request-Id");
  headers.set("cross-origin-resource-policy", "cross-origin");
}

/** Whether another origin's page sent a request. Programs send neither of these headers, nor cookies. */
export function isCrossOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const from = request.headers.get("origin");
  return from !== null && from !== origin;
}

/** Paths of downloads. */
const FILES = /^\/(filesets|people|schedules\/[^/]+)\/export\/?$/;

/** Whether a request opens a page in a tab, as following a link does; not in a frame. */
export function isNavigation({ method, headers }: Request, pathname: string): boolean {
  return !FILES.test(pathname) && method === "GET" &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}

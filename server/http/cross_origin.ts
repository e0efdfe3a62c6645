/**
 * CORS: scripts of other origins may call the two operations with a developer token of their own,
 * never with the browser's credentials.
 */
const OPERATIONS =
  /^\/api\/(files\/v1\/filesets\/search|content\/v1\/reportschedules\/[^/]+\/history)\/?$/;

/** How long browsers keep a preflight response; two hours is the most that they allow. */
const PREFLIGHT_SECONDS = 7200;

/** Whether a path is that of one of the two operations; the router allows a slash at the end. */
export function isOperation(pathname: string): boolean {
  return OPERATIONS.test(pathname);
}

/** The response to a preflight request. */
export function preflightResponse(tokenHeader: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST",
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

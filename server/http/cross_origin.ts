/**
 * CORS: scripts of other origins may call the two operations with a developer token of their own,
 * never with the browser's credentials.
 */

/** How long browsers keep a preflight response; two hours is the most that they allow. */
const PREFLIGHT_SECONDS = 7200;

/** The response to OPTIONS at an operation, which may be a browser's preflight request. */
export function preflightResponse(methods: readonly string[], tokenHeader: string): Response {
  const allowed = methods.join(", ");
  return new Response(null, {
    status: 204,
    headers: {
      "allow": allowed,
      "access-control-allow-methods": allowed,
      "access-control-allow-headers": `${tokenHeader}, Content-Type, If-None-Match`,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    },
  });
}

/** Allows scripts of any origin to read a response to a request without browser credentials. */
export function addCorsHeaders(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", "ETag, Retry-After, X-Request-Id");
  headers.set("cross-origin-resource-policy", "cross-origin");
}

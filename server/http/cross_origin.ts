/**
 * What scripts of other origins may do: send the interface's two operations with a developer token
 * of their own. Credentials of the browser are never allowed with it.
 */
const OPERATIONS =
  /^\/api\/(files\/v1\/filesets\/search|content\/v1\/reportschedules\/[^/]+\/history)\/?$/;

/** Browsers ask again after this; they keep the answer no longer than two hours anyway. */
const PREFLIGHT_SECONDS = 7200;

/** Whether a path is that of an operation of the interface; the router takes a slash at its end. */
export function isOperation(pathname: string): boolean {
  return OPERATIONS.test(pathname);
}

/** Answers a browser that asks what a script of another origin may send. */
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

/** Lets scripts of any origin read an answer that was given without the browser's credentials. */
export function addCorsHeaders(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", "Retry-After, X-Request-Id");
  headers.set("cross-origin-resource-policy", "cross-origin");
}

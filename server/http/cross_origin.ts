/**
 * CORS: scripts of other origins may call the two operations with a developer token of their own,
 * never with the browser's credentials.
 */
const OPERATIONS = [
  { path: /^\/api\/files\/v1\/filesets\/search\/?$/, methods: "POST, OPTIONS" },
  {
    path: /^\/api\/content\/v1\/reportschedules\/[^/]+\/history\/?$/,
    methods: "GET, HEAD, OPTIONS",
  },
];

/** How long browsers keep a preflight response; two hours is the most that they allow. */
const PREFLIGHT_SECONDS = 7200;

/** Whether a path is that of one of the two operations; the router allows a slash at the end. */
export function isOperation(pathname: string): boolean {
  return methodsOf(pathname) !== undefined;
}

/** The methods of the operation at a path, as in `Allow`; undefined for all other paths. */
export function methodsOf(pathname: string): string | undefined {
  return OPERATIONS.find(({ path }) => path.test(pathname))?.methods;
}

/** The response to OPTIONS, which may be a browser's preflight request. */
export function optionsResponse(methods: string, tokenHeader: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "allow": methods,
      "access-control-allow-methods": methods,
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

/**
 * The entry of the built app: handles requests with given services. What every response needs, static
 * files and error pages included, is added here, because Fresh's middlewares only see matching routes.
 */
// @ts-expect-error: a virtual module of the build; without it, every page is a 404.
import "#nitro/virtual/polyfills";
import { useNitroApp } from "nitro/app";
import { withResponseHeaders } from "../http/response_headers.ts";
import { clientAddress, type ConnectionInfo } from "../http/client_address.ts";
import { methodsOf, optionsResponse } from "../http/cross_origin.ts";
import { isServed, OTHER_HOST } from "../http/host.ts";
import { healthResponse, isHealthRequest } from "./health.ts";
import { logOf } from "../log/log.ts";
import { logRequest } from "../log/log_request.ts";
import { requestIdOf } from "../http/request_id.ts";
import { INVALID_HOST, problemResponseFor } from "../http/problem_response.ts";
import { attach, type Attached } from "./request_services.ts";
import { knownMethod, routePattern } from "../http/route_pattern.ts";
import type { Services } from "./services.ts";
import { nameRequest } from "../log/telemetry/requests.ts";
import { VERSION } from "../config/version.ts";

/** The built version. */
export const version = VERSION;

/** A path without a route. */
const NO_ROUTE = "/nowhere";

/**
 * The request as the app gets it. HEAD becomes GET, because length and policy come from the body; Deno
 * leaves the body out.
 */
function routable(request: Request, url: URL): Request {
  const pathname = routablePath(url.pathname);
  const isHead = request.method === "HEAD";
  if (pathname === url.pathname && !isHead) return request;
  const routed = new URL(url);
  routed.pathname = pathname;
  return new Request(routed, isHead ? new Request(request, { method: "GET" }) : request);
}

/**
 * The path in its normal form, where letters, digits and `-._~` are not percent-encoded (RFC 3986). A
 * path that can't be decoded, which Nitro would handle itself, and the build's manifest, which is not
 * public, become a path without a route.
 */
function routablePath(pathname: string): string {
  if (decoded(pathname)?.startsWith("/.vite/") ?? true) {
    return pathname.startsWith("/api/") ? `/api${NO_ROUTE}` : NO_ROUTE;
  }
  return pathname.replace(
    /%(2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi,
    (encoded) => decodeURIComponent(encoded),
  );
}

/** The decoded path, or null. Callers must use the result, or the bundler removes the call. */
function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/** The request handler of the app, with these services. */
export function createFetch(
  services: Services,
): (request: Request, info?: ConnectionInfo) => Promise<Response> {
  const app = useNitroApp();
  const site = services.settings;
  const { publicOrigin, serviceTokenHeader } = site;
  const health = { version, isReady: services.readiness.isReady };

  async function respond(request: Request, url: URL | null, attached: Attached): Promise<Response> {
    const isWeb = url && /^https?:$/.test(url.protocol);
    if (!isWeb) return problemResponseFor(request, INVALID_HOST, attached.requestId);
    if (!isServed(url, services.settings)) {
      return problemResponseFor(request, OTHER_HOST, attached.requestId);
    }
    const methods = methodsOf(url.pathname);
    if (request.method === "OPTIONS" && methods) {
      return optionsResponse(methods, serviceTokenHeader);
    }
    const routed = routable(request, url);
    attach(routed, attached);
    return await app.fetch(routed);
  }

  return async (request, info) => {
    const started = performance.now();
    const requestId = requestIdOf(request);
    const method = knownMethod(request.method);
    const url = URL.parse(request.url);
    const route = routePattern(url?.pathname ?? "");
    nameRequest({ method, route, requestId });
    if (isHealthRequest(request)) {
      const answered = await healthResponse(request, health);
      return await withResponseHeaders(request, answered, { site, requestId });
    }
    const log = logOf({ requestId, route }, services.log);
    const client = clientAddress(request, info, publicOrigin !== null);
    const answered = await respond(request, url, { services, requestId, log, client });
    const response = await withResponseHeaders(request, answered, { site, requestId });
    const { status } = response;
    const ms = performance.now() - started;
    const { aborted: isCancelled } = request.signal;
    logRequest(log, { method, status, ms, isCancelled });
    return response;
  };
}

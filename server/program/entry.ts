/**
 * What the build makes of Fresh: a function that answers requests with given services. Everything
 * that must be on every answer, static files and error pages included, is added here, because Fresh's
 * middlewares see only routes that match.
 */
// @ts-expect-error: a virtual module of the build; without it, every page is a 404.
import "#nitro/virtual/polyfills";
import { useNitroApp } from "nitro/app";
import { withResponseHeaders } from "../http/response_headers.ts";
import { clientAddress, type ConnectionInfo } from "../http/client_address.ts";
import { isOperation, preflightResponse } from "../http/cross_origin.ts";
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

/** The version that was built. */
export const version = VERSION;

/** A path that no route has. */
const NOWHERE = "/nowhere";

/**
 * The request, or one for a page that is not there. Paths that can't be decoded would be answered by
 * Nitro itself, and the build's manifest is in its table though nobody is to read it. A HEAD is
 * answered as a GET, whose length and policy come from the body; whoever sends it leaves the body out.
 */
function served(request: Request, url: URL): Request {
  const pathname = decoded(url.pathname);
  if (pathname !== null && !pathname.startsWith("/.vite/")) {
    return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
  }
  const elsewhere = url.pathname.startsWith("/api/") ? `/api${NOWHERE}` : NOWHERE;
  return new Request(new URL(elsewhere, url), { headers: request.headers });
}

/** A decoded path, or null; its result has to be used, or the bundler takes the call for idle. */
function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/** Answers requests with the services given. */
export function createFetch(
  services: Services,
): (request: Request, info?: ConnectionInfo) => Promise<Response> {
  const app = useNitroApp();
  const { publicOrigin, serviceTokenHeader } = services.settings;
  const health = { version, isReady: services.readiness.isReady };

  async function answer(request: Request, url: URL | null, attached: Attached): Promise<Response> {
    if (!url) return problemResponseFor(request, INVALID_HOST, attached.requestId);
    if (request.method === "OPTIONS" && isOperation(url.pathname)) {
      return preflightResponse(serviceTokenHeader);
    }
    const asked = served(request, url);
    attach(asked, attached);
    return await app.fetch(asked);
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
      return await withResponseHeaders(request, answered, { publicOrigin, requestId });
    }
    const log = logOf({ requestId, route }, services.log);
    const client = clientAddress(request, info, publicOrigin !== null);
    const answered = await answer(request, url, { services, requestId, log, client });
    const response = await withResponseHeaders(request, answered, { publicOrigin, requestId });
    const { status } = response;
    const ms = performance.now() - started;
    const { aborted: isCancelled } = request.signal;
    logRequest(log, { method, status, ms, isCancelled });
    return response;
  };
}

/** The entry of the built app. It handles every response, because Fresh's middlewares only see routes. */
// @ts-expect-error: a virtual module of the build; without it, every page is a 404.
import "#nitro/virtual/polyfills";
import { useNitroApp } from "nitro/app";
import { chooseRequestId, withResponseHeaders } from "../http/response_headers.ts";
import { clientAddress, type ConnectionInfo } from "../http/client_address.ts";
import { routeAt } from "../actions/roles.ts";
import { answerOperation } from "../api/operations.ts";
import { knownMethod, normalPath, operationAt } from "../http/paths.ts";
import { isServed, OTHER_HOST } from "../http/host.ts";
import { healthResponse, isHealthRequest } from "./responses.ts";
import { logRequest, logWith } from "../log/log.ts";
import { INVALID_HOST, problemResponseFor } from "../http/problem.ts";
import { attach, type Attached } from "./request_services.ts";
import type { Services } from "./services.ts";
import { nameRequest } from "../log/telemetry.ts";
import { VERSION } from "../config/version.ts";

export const version = VERSION;

/** The request for the app. HEAD becomes GET, whose body has the length; Deno drops the body. */
function routable(request: Request, url: URL, pathname: string): Request {
  const isHead = request.method === "HEAD";
  if (pathname === url.pathname && !isHead) return request;
  const routed = new URL(url);
  routed.pathname = pathname;
  return new Request(routed, isHead ? new Request(request, { method: "GET" }) : request);
}

export function createFetch(
  services: Services,
): (request: Request, info?: ConnectionInfo) => Promise<Response> {
  const app = useNitroApp();
  const site = services.settings;
  const health = { version, isReady: services.readiness.isReady };

  async function respond(
    request: Request,
    url: URL | null,
    pathname: string,
    attached: Attached,
  ): Promise<Response> {
    const isWeb = url && /^https?:$/.test(url.protocol);
    if (!isWeb) return problemResponseFor(request, INVALID_HOST, attached.requestId);
    if (!isServed(url, site)) return problemResponseFor(request, OTHER_HOST, attached.requestId);
    // Directly, because the router and the middlewares of pages would take longer than the answer.
    const operation = operationAt(pathname);
    if (operation) return await answerOperation({ ...attached, request, url, operation });
    const routed = routable(request, url, pathname);
    attach(routed, attached);
    return await app.fetch(routed);
  }

  return async (request, info) => {
    const started = performance.now();
    const requestId = chooseRequestId(request);
    const method = knownMethod(request.method);
    const url = URL.parse(request.url);
    const pathname = normalPath(url?.pathname ?? "");
    const isHealth = isHealthRequest(request);
    const route = isHealth ? pathname : routeAt(pathname) ?? "other";
    nameRequest(method, route, requestId);
    if (isHealth) {
      const answered = await healthResponse(request, health);
      return await withResponseHeaders(request, answered, { site, requestId, pathname });
    }
    const log = logWith({ requestId, route }, services.log);
    const client = clientAddress(request, info, site.publicOrigin !== null);
    const answered = await respond(request, url, pathname, { services, requestId, log, client });
    const response = await withResponseHeaders(request, answered, { site, requestId, pathname });
    const { status } = response;
    const ms = performance.now() - started;
    const { aborted: isCancelled } = request.signal;
    logRequest(log, { method, status, ms, isCancelled });
    return response;
  };
}

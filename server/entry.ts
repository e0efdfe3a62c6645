/**
 * What the build makes of Fresh: a function that answers requests with given services. Everything
 * that must be on every answer, static files and error pages included, is added here, because Fresh's
 * middlewares see only routes that match.
 */
// @ts-expect-error: a virtual module of the build; without it, every page is a 404.
import "#nitro/virtual/polyfills";
import { useNitroApp } from "nitro/app";
import { withSecurityHeaders } from "./security_headers.ts";
import { requestIdOf } from "./request_id.ts";
import { attach } from "./request_services.ts";
import { routePattern } from "./route_pattern.ts";
import type { Services } from "./services.ts";

/** Answers requests with the services given. */
export function createFetch(services: Services): (request: Request) => Promise<Response> {
  const app = useNitroApp();
  return async (request) => {
    const started = performance.now();
    const requestId = requestIdOf(request);
    attach(request, { services, requestId });
    const response = await withSecurityHeaders(await app.fetch(request));
    response.headers.set("x-request-id", requestId);
    services.log[response.status >= 500 ? "error" : "debug"]("Request", {
      requestId,
      method: request.method,
      route: routePattern(new URL(request.url).pathname),
      status: response.status,
      ms: Math.round(performance.now() - started),
    });
    return response;
  };
}

/** Responses outside routes: to health checks, while stopping, and after unhandled errors. */
import { chooseRequestId, type Site, withResponseHeaders } from "../http/response_headers.ts";
import { INVALID_HOST, ProblemError, problemResponseFor } from "../http/problem.ts";
import type { Log } from "../log/log.ts";
import { failureReason, isLogged } from "../log/log_problem.ts";

/** Whether this is a health check, which is answered even while nothing else is. */
export function isHealthRequest(request: Request): boolean {
  return /^\/(healthz|readyz)$/.test(URL.parse(request.url)?.pathname ?? "");
}

export async function healthResponse(
  request: Request,
  { version, isReady }: { readonly version: string; isReady(): Promise<boolean> },
): Promise<Response> {
  if (!["GET", "HEAD"].includes(request.method)) {
    const headers = { allow: "GET, HEAD" };
    return Response.json({ status: "method not allowed" }, { status: 405, headers });
  }
  const isHealthy = new URL(request.url).pathname === "/healthz" || await isReady();
  const status = isHealthy ? "ok" : "unavailable";
  return Response.json({ status, version }, { status: isHealthy ? 200 : 503 });
}

const RETRY_SECONDS = 5;

export async function unavailableResponse(
  request: Request,
  detail: string,
  site: Site | null,
): Promise<Response> {
  const requestId = chooseRequestId(request);
  const { problem } = new ProblemError(503, detail, { retryAfterSeconds: RETRY_SECONDS });
  const response = problemResponseFor(request, problem, requestId);
  return await withResponseHeaders(request, response, { site, requestId });
}

/** Logs an unhandled error. The request is not known here, so the response is plain text. */
export async function errorResponse(
  error: unknown,
  { log, site }: { readonly log: Log; readonly site: Site | null },
): Promise<Response> {
  const requestId = crypto.randomUUID();
  // Deno's telemetry throws it before our code runs; its message contains the whole URL.
  const isInvalidUrl = error instanceof TypeError && error.message.startsWith("Invalid URL");
  if (isInvalidUrl) log.warn("Request with an invalid URL", { requestId });
  else if (!isLogged(error)) {
    log.error("Unhandled error", { requestId, reason: failureReason(error) });
  }
  const problem = isInvalidUrl
    ? INVALID_HOST
    : new ProblemError(500, "Something went wrong").problem;
  const request = new Request("http://localhost/");
  const response = problemResponseFor(request, problem, requestId);
  return await withResponseHeaders(request, response, { site, requestId });
}

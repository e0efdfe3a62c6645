import { withResponseHeaders } from "../http/response_headers.ts";
import type { Site } from "../http/security_headers.ts";
import type { Log } from "../log/log.ts";
import { isLogged, reasonOf } from "../log/log_problem.ts";
import { ProblemError } from "../http/problem.ts";
import { INVALID_HOST, problemResponseFor } from "../http/problem_response.ts";

/** Logs an unhandled error. The request is not known here, so the answer is plain text. */
export async function errorResponse(
  error: unknown,
  { log, site }: { readonly log: Log; readonly site: Site | null },
): Promise<Response> {
  const requestId = crypto.randomUUID();
  // Thrown by Deno's telemetry before our code runs; its message contains the whole URL.
  const isInvalidUrl = error instanceof TypeError && error.message.startsWith("Invalid URL");
  if (isInvalidUrl) log.warn("Request with an invalid URL", { requestId });
  else if (!isLogged(error)) {
    log.error("Unhandled error", { requestId, reason: reasonOf(error) });
  }
  const problem = isInvalidUrl
    ? INVALID_HOST
    : new ProblemError(500, "Something went wrong").problem;
  const request = new Request("http://localhost/");
  const response = problemResponseFor(request, problem, requestId);
  return await withResponseHeaders(request, response, { site, requestId });
}

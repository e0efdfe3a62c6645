import { withResponseHeaders } from "../http/response_headers.ts";
import { ProblemError } from "../http/problem.ts";
import { problemResponseFor } from "../http/problem_response.ts";
import type { Site } from "../http/security_headers.ts";
import { requestIdOf } from "../http/request_id.ts";

const RETRY_SECONDS = 5;

/** The response of a server that is stopping or could not start. */
export async function unavailableResponse(
  request: Request,
  detail: string,
  site: Site | null,
): Promise<Response> {
  const requestId = requestIdOf(request);
  const { problem } = new ProblemError(503, detail, { retryAfterSeconds: RETRY_SECONDS });
  const response = problemResponseFor(request, problem, requestId);
  return await withResponseHeaders(request, response, { site, requestId });
}

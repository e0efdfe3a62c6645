import { withAnswerHeaders } from "../http/answer_headers.ts";
import { ProblemError } from "../http/problem.ts";
import { refusal } from "../http/refusal.ts";
import { requestIdOf } from "../http/request_id.ts";

/** When to try again, in seconds. */
const RETRY_SECONDS = 5;

/** The answer of a server that can't serve now: it is ending, or could not begin. */
export async function unavailable(
  request: Request,
  detail: string,
  publicOrigin: string | null,
): Promise<Response> {
  const requestId = requestIdOf(request);
  const { problem } = new ProblemError(503, detail, { retryAfterSeconds: RETRY_SECONDS });
  const response = refusal(request, problem, requestId);
  return await withAnswerHeaders(request, response, { publicOrigin, requestId });
}

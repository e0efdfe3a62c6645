/** The last answer: where none could be made, or where one broke off. */
import { withResponseHeaders } from "../http/response_headers.ts";
import type { Log } from "../log/log.ts";
import { isLogged, reasonOf } from "../log/log_problem.ts";
import { ProblemError } from "../http/problem.ts";
import { INVALID_HOST, problemResponseFor } from "../http/problem_response.ts";

/**
 * Answers for an error that came past everything else, and logs it. Which request it was for is not
 * known here, so it is answered as a page.
 */
export async function errorResponse(
  error: unknown,
  { log, publicOrigin }: { readonly log: Log; readonly publicOrigin: string | null },
): Promise<Response> {
  const requestId = crypto.randomUUID();
  // Thrown by Deno's telemetry before anything of ours; its message is the whole address.
  const isUnreadable = error instanceof TypeError && error.message.startsWith("Invalid URL");
  if (isUnreadable) log.warn("An address could not be read", { requestId });
  else if (!isLogged(error)) {
    log.error("An answer failed", { requestId, reason: reasonOf(error) });
  }
  const problem = isUnreadable
    ? INVALID_HOST
    : new ProblemError(500, "Something went wrong").problem;
  const request = new Request("http://localhost/");
  const response = problemResponseFor(request, problem, requestId);
  return await withResponseHeaders(request, response, { publicOrigin, requestId });
}

/** The last answer: where none could be made, or where one broke off. */
import { withAnswerHeaders } from "../http/answer_headers.ts";
import type { Log } from "../log/log.ts";
import { reasonOf, wasLogged } from "../log/log_problem.ts";
import { ProblemError } from "../http/problem.ts";
import { refusal, UNREADABLE_HOST } from "../http/refusal.ts";

/**
 * Answers for an error that came past everything else, and logs it. Which request it was for is not
 * known here, so it is answered as a page.
 */
export async function failedAnswer(
  error: unknown,
  { log, publicOrigin }: { readonly log: Log; readonly publicOrigin: string | null },
): Promise<Response> {
  const requestId = crypto.randomUUID();
  // Thrown by Deno's telemetry before anything of ours; its message is the whole address.
  const isUnreadable = error instanceof TypeError && error.message.startsWith("Invalid URL");
  if (isUnreadable) log.warn("An address could not be read", { requestId });
  else if (!wasLogged(error)) {
    log.error("An answer failed", { requestId, reason: reasonOf(error) });
  }
  const problem = isUnreadable
    ? UNREADABLE_HOST
    : new ProblemError(500, "Something went wrong").problem;
  const request = new Request("http://localhost/");
  const response = refusal(request, problem, requestId);
  return await withAnswerHeaders(request, response, { publicOrigin, requestId });
}

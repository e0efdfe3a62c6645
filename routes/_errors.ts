import { isRetryableStatus } from "../lib/client/transport/retry.ts";
import { formatIssue, formatWait } from "../components/page/error_message.ts";
import type { ErrorMessage } from "../components/ui/notices.tsx";
import { type FailedRequest, logProblem, problemAnswer } from "../server/log/log_problem.ts";
import { yieldToEventLoop } from "../server/workers/yield_to_event_loop.ts";
import {
  isProblemError,
  type ProblemDetails,
  problemHeaders,
  toProblem,
} from "../server/http/problem.ts";

/** Loads a page's data, or else the error to show instead, with its status. */
export async function loadPage<Shown>(ctx: FailedRequest, load: () => Promise<Shown>) {
  try {
    const shown = await load();
    // Rendering takes some milliseconds, so other requests come first.
    await yieldToEventLoop();
    return { data: { shown, error: null } };
  } catch (thrown) {
    const { error, ...answer } = pageError(thrown, ctx);
    return { data: { shown: null, error }, ...answer };
  }
}

/** What a page says of a status, instead of what the problem says. */
export type ErrorWords = Readonly<Record<number, readonly [title: string, detail: string]>>;

/** What a page says first of a service that refuses or fails, by the status of the problem. */
const SERVICE_TITLES: Readonly<Record<number, string>> = {
  400: "The service rejected this request",
  401: "You are no longer signed in",
  403: "Access denied",
  404: "Not found",
  429: "The service is busy",
  500: "Something went wrong",
  504: "The service took too long to respond",
};

/** An error as a page shows it, with the response's status and headers. Logs server errors. */
export function pageError(
  thrown: unknown,
  { req, state: { log, requestId } }: FailedRequest,
  words: ErrorWords = {},
) {
  const problem = toProblem(thrown);
  logProblem(log, problem, thrown, req.signal);
  const { status, errors, retryAfterSeconds } = problem;
  const mayRetry = isRetryableStatus(status);
  const [title, detail] = isProblemError(thrown)
    ? [problem.title, `${problem.detail}.`]
    : words[status] ?? serviceWords(problem);
  const error: ErrorMessage = {
    title,
    detail: errors.length > 0 ? "Please fix:" : detail,
    issues: errors.map(formatIssue),
    needsSignIn: status === 401,
    mayRetry,
    retryAfterSeconds,
    ...status >= 500 && { requestId },
  };
  return { error, status, headers: problemHeaders(problem) };
}

/** A problem's words of an upstream service, for people who know of one service alone. */
function serviceWords({ status, detail, retryAfterSeconds }: ProblemDetails) {
  const words = detail.replace("The upstream service", "The service").replace(/(?<![.!?])$/, ".");
  const again = isRetryableStatus(status) ? ` Try again in ${formatWait(retryAfterSeconds)}.` : "";
  return [SERVICE_TITLES[status] ?? "The service failed", words + again] as const;
}

/** Answers a request that is not for a page. Errors become problem documents. */
export async function answerOrProblem(
  ctx: FailedRequest,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    return problemAnswer(error, ctx);
  }
}

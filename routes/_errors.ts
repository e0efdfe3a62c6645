import { isRetryableStatus } from "../lib/client/transport/retry.ts";
import { errorMessageOf, type ErrorWords, formatIssue } from "../components/page/error_message.ts";
import type { ErrorMessage } from "../components/ui/notices.tsx";
import { type FailedRequest, logProblem, problemAnswer } from "../server/log/log_problem.ts";
import { yieldToEventLoop } from "../server/workers/yield_to_event_loop.ts";
import {
  isProblemError,
  problemHeaders,
  safeUpstreamText,
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

/** A page of a list, with status 400 if its link has faults. */
export function answerList<Data extends { readonly issues: readonly string[] }>(data: Data) {
  return { data, status: data.issues.length > 0 ? 400 : 200 };
}

/** An error as a page shows it, with the response's status and headers. Logs server errors. */
export function pageError(
  thrown: unknown,
  { req, state: { log, requestId } }: FailedRequest,
  words?: ErrorWords,
) {
  const problem = toProblem(thrown);
  logProblem(log, problem, thrown, req.signal);
  const { status, title, detail, errors } = problem;
  const message: ErrorMessage = isProblemError(thrown)
    ? {
      title,
      detail: errors.length > 0 ? "Please fix:" : `${detail}.`,
      issues: errors.map(formatIssue),
      mayRetry: isRetryableStatus(status),
    }
    : withSafeTexts(errorMessageOf(thrown, words));
  return {
    error: { ...message, requestId },
    status,
    headers: problemHeaders(problem),
  };
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

/** An upstream service's error texts can contain anything, at any length. */
function withSafeTexts({ detail, issues, excerpt, ...message }: ErrorMessage): ErrorMessage {
  return {
    ...message,
    detail: safeUpstreamText(detail),
    issues: issues.map(safeUpstreamText),
    ...(excerpt === undefined ? {} : { excerpt: safeUpstreamText(excerpt) }),
  };
}

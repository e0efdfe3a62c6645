import { type Problem, ProblemError, problemResponse } from "./problem.ts";

/** Whoever sent such a request is no browser. */
export const UNREADABLE_HOST: Problem =
  new ProblemError(400, "The Host header is not that of a web address").problem;

/**
 * The answer to a request that gets no further than the door: a problem document for the API, a line
 * of text for anybody else.
 */
export function refusal(request: Request, problem: Problem, requestId: string): Response {
  if (URL.parse(request.url)?.pathname.startsWith("/api/")) {
    return problemResponse(problem, requestId);
  }
  const { status, detail, retryAfterSeconds } = problem;
  const headers = new Headers({ "content-type": "text/plain; charset=utf-8" });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(detail, { status, headers });
}

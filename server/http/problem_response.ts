/** Problems as HTTP responses. */
import { type Problem, ProblemError } from "./problem.ts";

/** The problem document. */
export function problemResponse(problem: Problem, requestId?: string): Response {
  const { type, title, status, detail, errors } = problem;
  const headers = retryHeaders(problem, "application/problem+json");
  const body = { type, title, status, detail, requestId, errors };
  return new Response(JSON.stringify(body), { status, headers });
}

/** The problem document for the API, and a line of text for everybody else. */
export function problemResponseFor(
  request: Request,
  problem: Problem,
  requestId: string,
): Response {
  if (URL.parse(request.url)?.pathname.startsWith("/api/")) {
    return problemResponse(problem, requestId);
  }
  const headers = retryHeaders(problem, "text/plain; charset=utf-8");
  return new Response(problem.detail, { status: problem.status, headers });
}

/** A request with such a Host header was not sent by a browser. */
export const INVALID_HOST: Problem =
  new ProblemError(400, "The Host header is not that of a web address").problem;

function retryHeaders({ retryAfterSeconds }: Problem, type: string): Headers {
  const headers = new Headers({ "content-type": type });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return headers;
}

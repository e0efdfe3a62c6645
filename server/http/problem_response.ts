import { type Problem, ProblemError } from "./problem.ts";

export function problemResponse(problem: Problem, requestId?: string): Response {
  const { type, title, status, detail, errors } = problem;
  const headers = { "content-type": "application/problem+json", ...problemHeaders(problem) };
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
  const headers = { "content-type": "text/plain; charset=utf-8", ...problemHeaders(problem) };
  return new Response(problem.detail, { status: problem.status, headers });
}

/** A request with such a target or Host header was not sent by a browser. */
export const INVALID_HOST: Problem =
  new ProblemError(400, "The request is not for an http or https address").problem;

/** The headers that go with a problem, in whatever form it is shown. */
export function problemHeaders(
  { headers, retryAfterSeconds }: Pick<Problem, "headers" | "retryAfterSeconds">,
): Readonly<Record<string, string>> {
  if (retryAfterSeconds === undefined) return headers ?? {};
  return { ...headers, "retry-after": String(retryAfterSeconds) };
}

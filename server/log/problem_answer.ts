import { problemOf } from "../http/problem.ts";
import { problemResponse } from "../http/problem_response.ts";
import type { RequestLog } from "./log.ts";
import { logProblem } from "./log_problem.ts";

/** The parts of a failed request that are needed, in the shape that routes have them. */
export interface FailedRequest {
  readonly req: Request;
  readonly state: { readonly log: RequestLog; readonly requestId: string };
}

/** Answers a request that is not for a page with a problem document. Server errors are logged. */
export function problemAnswer(
  thrown: unknown,
  { req, state: { log, requestId } }: FailedRequest,
): Response {
  const problem = problemOf(thrown);
  logProblem(log, problem, thrown, req.signal);
  return problemResponse(problem, requestId);
}

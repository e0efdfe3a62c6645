import { isDocketError, type ShapeError } from "../../lib/errors.ts";
import type { Log } from "./log.ts";
import {
  isProblemError,
  type ProblemDetails,
  problemResponse,
  safeUpstreamText,
  toProblem,
} from "../http/problem.ts";

/** A registered symbol, because the build bundles this module twice. */
const LOGGED = Symbol.for("docket.logged");

/** Logs an error of the server or of its upstream. Cancelled requests are logged only for debugging. */
export function logProblem(
  log: Log,
  problem: ProblemDetails,
  error: unknown,
  signal?: AbortSignal,
): void {
  if (signal?.aborted) log.debug("Request cancelled");
  else if (problem.status >= 500) log.error(problem.title, { reason: failureReason(error) });
}

export function logInterruptedDownload(log: Log, error: unknown, signal: AbortSignal): void {
  if (signal.aborted) log.debug("Request cancelled");
  else log.error("Download interrupted", { reason: failureReason(error) });
}

/** What is unexpected in an answer, without repeating anything from it. */
function shapeErrorReason({ status, path, excerpt, message }: ShapeError): string {
  // The answer was not read to its end, and the message is Docket's own.
  if (status === undefined) return message;
  if (excerpt !== undefined) return "the answer is not JSON";
  return `${path || "the answer"} has an unexpected shape`;
}

/** Marks an error as logged, so that it is not logged again. */
export function markLogged<E extends Error>(error: E): E {
  return Object.defineProperty(error, LOGGED, {});
}

export function isLogged(error: unknown): boolean {
  return LOGGED in Object(error);
}

/** Why something failed. Never quotes a service's answer; has the stack of an unexpected error. */
export function failureReason(error: unknown): string {
  if (isDocketError(error)) {
    const id = safeRequestId(error.requestId);
    const count = error.attempts.length;
    const reason = error.kind === "shape"
      ? shapeErrorReason(error)
      : connectionErrorReason(error.cause);
    return (error.kind === "http" ? `http ${error.status}` : error.kind) +
      (id ? `, upstream request ${id}` : "") +
      (count > 1 ? `, after ${count} attempts` : "") +
      (reason ? `: ${reason}` : "");
  }
  // Thrown on purpose: the message is enough.
  if (isProblemError(error)) return error.message;
  const reason = connectionErrorReason(error);
  if (reason) return reason;
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** The id that the upstream gave the request, unless it looks like more than an id. */
function safeRequestId(requestId: string | undefined): string | undefined {
  return requestId && /^[\w.:-]{1,100}$/.test(requestId) ? requestId : undefined;
}

/** The platform's reason, such as connection refused, without the URL; undefined without one. */
function connectionErrorReason(error: unknown): string | undefined {
  let message: string | undefined;
  for (let at = error; at instanceof Error; at = at.cause) message = at.message;
  const reason = message?.match(/client error \(\w+\): (.+)/s)?.[1] ??
    message?.match(/^error reading a body from connection.*|^[A-Z][a-z ]+ \(os error \d+\)$/)?.[0];
  return reason && safeUpstreamText(reason);
}

export interface FailedRequest {
  readonly req: Request;
  readonly state: { readonly log: Log; readonly requestId: string };
}

/** Answers a request that is not for a page with a problem document. Server errors are logged. */
export function problemAnswer(
  thrown: unknown,
  { req, state: { log, requestId } }: FailedRequest,
): Response {
  const problem = toProblem(thrown);
  logProblem(log, problem, thrown, req.signal);
  return problemResponse(problem, requestId);
}

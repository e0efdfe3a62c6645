/** What the log says of a request that failed. */
import { type AnyDocketError, isDocketError, type ShapeError } from "../../lib/errors.ts";
import { connectionErrorReason } from "./connection_error.ts";
import type { RequestLog } from "./log.ts";
import { isProblemError, type Problem, problemOf } from "../http/problem.ts";
import { errorName } from "./telemetry/span.ts";

/** A symbol of the registry: two bundles of this module run side by side. */
const LOGGED = Symbol.for("docket.logged");

/**
 * Logs a fault of the server, or what came of its upstream's, once. Faults of the request are the
 * sender's affair, and who went away before the answer needs none.
 */
export function logProblem(
  log: RequestLog,
  problem: Problem,
  error: unknown,
  signal?: AbortSignal,
): void {
  if (signal?.aborted) log.debug("The request was cancelled");
  else if (problem.status >= 500 && isNews(log, error)) {
    log.error(problem.title, { reason: reasonOf(error) });
  }
}

/** Logs what cut off an answer that had begun, unless its reader went away. */
export function logInterruptedDownload(log: RequestLog, error: unknown, signal: AbortSignal): void {
  if (signal.aborted) log.debug("The request was cancelled");
  else if (isNews(log, error)) log.error("A download was cut off", { reason: reasonOf(error) });
  else log.warn("A download was cut off");
}

/**
 * Logs a call that the upstream service failed, once. What it answered stays out of the log, since
 * there may be addresses in its words.
 */
export function logUpstreamError(log: RequestLog, error: unknown): void {
  if (!isDocketError(error) || !isNews(log, error)) return;
  log[levelOf(error)]("The upstream service failed", {
    kind: error.kind,
    status: statusOf(error),
    reason: error.kind === "shape" ? shapeFault(error) : connectionErrorReason(error.cause),
    attempts: error.attempts.length || undefined,
    upstreamRequestId: harmless(error.requestId),
  });
}

/** Whether the log of a request has not told of such a fault; from now on it has. */
function isNews({ told }: RequestLog, error: unknown): boolean {
  const fault = isDocketError(error) ? `${error.kind} ${statusOf(error)}` : reasonOf(error);
  return told.size < told.add(fault).size;
}

function statusOf(error: AnyDocketError): number | undefined {
  return error.kind === "http" || error.kind === "shape" ? error.status : undefined;
}

/** A search that can't be done and a schedule that isn't there are the sender's affair. */
function levelOf(error: unknown): "error" | "warn" | "debug" {
  const { status } = problemOf(error);
  if (status >= 500) return "error";
  return status === 400 || status === 404 ? "debug" : "warn";
}

/** What is odd about an answer, without the names and words that it has there. */
function shapeFault({ status, path, excerpt, message }: ShapeError): string {
  // Docket's own words, of an answer that it did not read to its end.
  if (status === undefined) return message;
  if (excerpt !== undefined) return "the answer is not JSON";
  return `${path || "the answer"} has another shape`;
}

/** Marks an error of which the log has told, where nothing else remembers it. */
export function markLogged<E extends Error>(error: E): E {
  return Object.defineProperty(error, LOGGED, { value: true });
}

/** Whether an error was marked as told. */
export function isLogged(error: unknown): boolean {
  return typeof error === "object" && error !== null && LOGGED in error;
}

/**
 * Why something failed, for the log. What a service answered stays out of it, since there may be
 * addresses in its words; of an unexpected error it says where it came from.
 */
export function reasonOf(error: unknown): string {
  if (isDocketError(error)) {
    const id = harmless(error.requestId);
    const fault = connectionErrorReason(error.cause);
    return `${errorName(error)}${id ? `, request ${id} there` : ""}${fault ? `: ${fault}` : ""}`;
  }
  // Thrown on purpose: what it says is all there is to know.
  if (isProblemError(error)) return error.message;
  const fault = connectionErrorReason(error);
  if (fault) return fault;
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** The id that a service gave a request, unless it is more than an id. */
function harmless(requestId: string | undefined): string | undefined {
  return requestId && /^[\w.:-]{1,100}$/.test(requestId) ? requestId : undefined;
}

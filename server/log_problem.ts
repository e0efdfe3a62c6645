/** What the log says of a request that failed. */
import { isDocketError } from "../lib/errors.ts";
import type { Log } from "./log.ts";
import { isProblemError, type Problem } from "./problem.ts";

/**
 * Logs a fault of the server or its upstream. Faults of the request are the sender's affair, and who
 * went away before the answer needs none.
 */
export function logProblem(
  log: Log,
  problem: Problem,
  error: unknown,
  request: { readonly requestId: string; readonly signal: AbortSignal },
): void {
  const { requestId, signal } = request;
  if (signal.aborted) log.debug("The request was cancelled", { requestId });
  else if (problem.status >= 500) log.error(problem.title, { requestId, reason: reasonOf(error) });
}

/**
 * Why something failed, for the log. What a service answered stays out of it, since there may be
 * addresses in its words; of an unexpected error it says where it came from.
 */
export function reasonOf(error: unknown): string {
  if (isDocketError(error)) {
    const status = error.kind === "http" ? ` ${error.status}` : "";
    const id = error.requestId ? `, request ${error.requestId} there` : "";
    return `${error.kind}${status}${id}`;
  }
  // Thrown on purpose: what it says is all there is to know.
  if (isProblemError(error)) return error.message;
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** The log line for each request. */
import type { Log } from "./log.ts";

/** Requests slower than this, in milliseconds, are logged as information. */
const SLOW_MS = 1000;

/** Logs a request: slow ones as information, others and cancelled ones for debugging. */
export function logRequest(
  log: Log,
  { isCancelled, ms, ...request }: {
    readonly method: string;
    readonly status: number;
    /** Time to the beginning of the response. */
    readonly ms: number;
    readonly isCancelled: boolean;
  },
): void {
  const level = !isCancelled && ms > SLOW_MS ? "info" : "debug";
  log[level]("Request", { ...request, ms: Math.round(ms) });
}

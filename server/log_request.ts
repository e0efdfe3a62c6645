/** The log's line about an answered request. */
import type { Log } from "./log.ts";

/** Longer than this is worth a line also to those who want to read little, in milliseconds. */
const SLOW_MS = 1000;

/**
 * Logs a request: faults as errors, slow ones as information, all others for debugging. Who went away
 * before the answer needs none, whatever it would have been.
 */
export function logRequest(
  log: Log,
  { isCancelled, ms, ...request }: {
    readonly requestId: string;
    readonly method: string;
    readonly route: string;
    readonly status: number;
    /** How long the answer took to begin. */
    readonly ms: number;
    readonly isCancelled: boolean;
  },
): void {
  const isFault = request.status >= 500;
  const level = isCancelled ? "debug" : isFault ? "error" : ms > SLOW_MS ? "info" : "debug";
  log[level]("Request", { ...request, ms: Math.round(ms) });
}

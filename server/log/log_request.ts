/** The log's line about an answered request. */
import type { Log } from "./log.ts";

/** Longer than this is worth a line also to those who want to read little, in milliseconds. */
const SLOW_MS = 1000;

/**
 * Logs a request: slow ones as information, all others for debugging. What failed needs no more, for
 * its reason is an error in the log already. Who went away before the answer needs none.
 */
export function logRequest(
  log: Log,
  { isCancelled, ms, ...request }: {
    readonly method: string;
    readonly status: number;
    /** How long the answer took to begin. */
    readonly ms: number;
    readonly isCancelled: boolean;
  },
): void {
  const level = !isCancelled && ms > SLOW_MS ? "info" : "debug";
  log[level]("Request", { ...request, ms: Math.round(ms) });
}

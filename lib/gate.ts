/**
 * The gate that all page requests of one walk pass. When the service says that there are too many
 * requests, the gate closes for all of them, and lets them through singly for a while after that.
 *
 * @module
 */

import type { Runtime } from "./runtime.ts";

/** So many answers in a row must be good before one more request may be in flight. */
const ANSWERS_TO_WIDEN = 10;

/** Lets requests through, or makes them wait. */
export interface Gate {
  /**
   * Waits until a request may be sent.
   *
   * @param signal Ends the waiting.
   * @returns A function to call when the request is over.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Closes the gate for so many milliseconds and narrows it to one request at a time. */
  pause(ms: number): void;
}

/**
 * Makes an open gate.
 *
 * @param runtime Clock and waiting.
 * @param width How many requests may be in flight.
 * @returns The gate.
 */
export function createGate(runtime: Runtime, width: number): Gate {
  let allowed = width;
  let inFlight = 0;
  let answersSince = 0;
  let closedUntil = -Infinity;
  const waiting = new Set<() => void>();

  const wakeNext = () => {
    for (const wake of waiting) {
      waiting.delete(wake);
      return wake();
    }
  };
  const leave = () => {
    inFlight--;
    if (allowed < width && ++answersSince >= ANSWERS_TO_WIDEN) {
      answersSince = 0;
      allowed++;
      wakeNext();
    }
    wakeNext();
  };

  return {
    async enter(signal) {
      for (;;) {
        const closedMs = closedUntil - runtime.now();
        if (closedMs > 0) await runtime.sleep(closedMs, signal);
        else if (inFlight >= allowed) await turn(waiting, signal);
        else break;
      }
      inFlight++;
      return leave;
    },
    pause(ms) {
      closedUntil = Math.max(closedUntil, runtime.now() + ms);
      allowed = 1;
      answersSince = 0;
    },
  };
}

/** Waits to be woken; whoever waits longest is woken first. */
function turn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      waiting.delete(wake);
      reject(signal.reason);
    };
    const wake = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

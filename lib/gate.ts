/**
 * The gate that all page requests of one walk pass. When the service says that there are too many
 * requests, the gate closes for all of them, and lets them through singly for a while after that.
 *
 * @module
 */

import type { Runtime } from "./runtime.ts";

/** So many answers in a row must be good before one more request may be in flight. */
const ANSWERS_TO_WIDEN = 10;

/** The way of one request through the gate. */
export interface Passage {
  /**
   * Waits until the request may be sent.
   *
   * @param signal Ends the waiting, whose promise then never comes true.
   * @returns What to call when the request is over.
   */
  enter(signal: AbortSignal): Promise<Leave>;
  /**
   * Enters when no waiting is needed.
   *
   * @returns What to call when the request is over, or undefined when it has to wait.
   */
  enterAtOnce(): Leave | undefined;
}

/**
 * Lets requests through, or makes them wait.
 *
 * @param order The request's place in the walk; of all that wait, the lowest goes first.
 * @returns Its way through.
 */
export type Gate = (order: number) => Passage;

/**
 * Ends a request that passed the gate.
 *
 * @param refusedMs For how many milliseconds the service wants no more requests. The gate closes
 * for as long, and then lets one request through at a time.
 */
export type Leave = (refusedMs?: number) => void;

interface Waiter {
  readonly order: number;
  readonly signal: AbortSignal;
  readonly admit: (leave: Leave) => void;
}

/**
 * Makes an open gate.
 *
 * @param runtime Clock and waiting.
 * @param width How many requests may be in flight.
 * @returns The gate.
 */
export function createGate(runtime: Runtime, width: number): Gate {
  let waiters: Waiter[] = [];
  let allowed = width;
  let inFlight = 0;
  let goodAnswers = 0;
  let closedUntil = 0;

  const closedMs = () => closedUntil - runtime.now();
  const enterAtOnce = () => {
    if (inFlight >= allowed || closedMs() > 0) return undefined;
    inFlight++;
    return leave;
  };
  const admit = () => {
    waiters = waiters.filter(({ signal }) => !signal.aborted).sort((a, b) => a.order - b.order);
    while (waiters.length > 0 && enterAtOnce()) waiters.shift()!.admit(leave);
  };
  const leave: Leave = (refusedMs) => {
    inFlight--;
    if (refusedMs !== undefined) {
      closedUntil = Math.max(closedUntil, runtime.now() + refusedMs);
      allowed = 1;
      goodAnswers = 0;
    } else if (allowed < width && ++goodAnswers >= ANSWERS_TO_WIDEN) {
      goodAnswers = 0;
      allowed++;
    }
    admit();
  };

  return (order) => ({
    enterAtOnce,
    enter: (signal) =>
      new Promise((resolve, reject) => {
        waiters.push({ order, signal, admit: resolve });
        // Whoever waits while the gate is closed, looks after its opening.
        const open = () => {
          const ms = closedMs();
          if (ms > 0) runtime.sleep(ms, signal).then(open, reject);
          else admit();
        };
        open();
      }),
  });
}

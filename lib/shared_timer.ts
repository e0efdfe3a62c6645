/**
 * One timer for many short pieces of work, each of which has a time limit that it hardly ever
 * reaches. Starting and stopping a real timer for each would cost more than the rest of a request.
 *
 * @module
 */

import type { Runtime } from "./runtime.ts";

/** A runtime whose timers share a real one. */
export interface SharedTimer {
  /** The runtime. */
  readonly runtime: Runtime;
  /** Stops the real timer, when no more work comes. */
  close(): void;
}

/**
 * Makes a runtime whose timers share one timer of another. It stays armed when a piece of work is
 * over, and looks for the next limit when it fires.
 *
 * @param runtime The other runtime.
 * @returns The runtime, and how to stop its timer.
 */
export function shareTimer(runtime: Runtime): SharedTimer {
  const limits = new Map<() => void, number>();
  let armedFor = Infinity;
  let disarm = () => {};

  const arm = () => {
    const first = Math.min(...limits.values());
    if (first >= armedFor) return;
    disarm();
    armedFor = first;
    disarm = runtime.setTimer(fire, first - runtime.now());
  };
  const fire = () => {
    armedFor = Infinity;
    const now = runtime.now();
    for (const [callback, due] of limits) {
      if (due > now) continue;
      limits.delete(callback);
      callback();
    }
    arm();
  };
  return {
    runtime: {
      now: () => runtime.now(),
      random: () => runtime.random(),
      sleep: (ms, signal) => runtime.sleep(ms, signal),
      setTimer(callback, ms) {
        limits.set(callback, runtime.now() + ms);
        arm();
        return () => {
          limits.delete(callback);
        };
      },
    },
    close() {
      disarm();
      armedFor = Infinity;
    },
  };
}

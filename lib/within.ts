/**
 * Bounds a piece of work in time and by the caller's signal.
 *
 * @module
 */

import type { Runtime } from "./runtime.ts";

/** Why work was interrupted: its time ran out, or the caller aborted. */
export class Interruption {
  /** What interrupted. */
  readonly by: "time" | "signal";

  /** @param by What interrupted. */
  constructor(by: "time" | "signal") {
    this.by = by;
  }
}

/** What bounds the work. */
export interface Bounds {
  /** Clock and timers. */
  readonly runtime: Runtime;
  /** Time for the work, in milliseconds; Infinity sets no bound. */
  readonly ms: number;
  /** The caller's signal. */
  readonly signal?: AbortSignal;
}

/**
 * Does the work, and throws an {@linkcode Interruption} as soon as its time is over or the signal
 * aborts, even when the work takes no notice. Leaves no timer and no listener behind.
 *
 * @param bounds What bounds the work.
 * @param work Gets a signal of its own, which aborts when the work is interrupted.
 * @returns The work's result.
 */
export async function within<T>(
  { runtime, ms, signal }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw new Interruption("signal");
  if (ms <= 0) throw new Interruption("time");
  const controller = new AbortController();
  const cleanUp: (() => void)[] = [];
  const interrupted = new Promise<never>((_, reject) => {
    const interrupt = (by: "time" | "signal") => {
      // First the own rejection, so that the work's reaction to its signal comes second.
      reject(new Interruption(by));
      controller.abort();
    };
    if (ms !== Infinity) cleanUp.push(runtime.setTimer(() => interrupt("time"), ms));
    if (signal) {
      const onAbort = () => interrupt("signal");
      signal.addEventListener("abort", onAbort, { once: true });
      cleanUp.push(() => signal.removeEventListener("abort", onAbort));
    }
  });
  try {
    return await Promise.race([work(controller.signal), interrupted]);
  } finally {
    for (const clean of cleanUp) clean();
  }
}

/**
 * One timer for many short pieces of work, each of which has a time limit that it hardly ever
 * reaches. Starting and stopping a real timer for each page costs a walk some percent of its time.
 */
import type { Runtime } from "./runtime.ts";

/**
 * Makes timers that share one of a runtime. It stays armed when a piece of work is over, and looks
 * for the next limit when it fires.
 */
export function shareTimer(runtime: Runtime) {
  const limits = new Map<() => void, number>();
  let armedFor = Infinity;
  let disarm = () => {};

  const close = (): void => {
    disarm();
    armedFor = Infinity;
  };
  const arm = () => {
    const first = Math.min(...limits.values());
    if (first >= armedFor) return;
    close();
    armedFor = first;
    disarm = runtime.setTimer(fire, first - runtime.now());
  };
  const fire = () => {
    armedFor = Infinity;
    for (const [callback, due] of limits) {
      if (due > runtime.now()) continue;
      limits.delete(callback);
      callback();
    }
    arm();
  };
  return {
    /** Starts a timer, as a runtime does. */
    setTimer(callback: () => void, ms: number): () => void {
      limits.set(callback, runtime.now() + ms);
      arm();
      return () => limits.delete(callback);
    },
    /** Stops the real timer, when no more work comes. */
    close: (): void => close(),
  };
}

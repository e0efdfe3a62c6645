/** Bounds a piece of work in time and by the caller's signal. */
import type { Runtime } from "./runtime.ts";

/**
 * Does work, and throws what `interruption` makes as soon as its time is over or the caller's
 * signal aborts, even when the work takes no notice. The work gets a signal of its own, which
 * aborts then. Leaves no timer and no listener behind.
 */
export async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  ms: number,
  setTimer: Runtime["setTimer"],
  signal: AbortSignal | undefined,
  interruption: (isAbort: boolean) => Error,
): Promise<T> {
  if (signal?.aborted || ms <= 0) throw interruption(ms > 0);
  const controller = new AbortController();
  let interrupt!: (isAbort: boolean) => void;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = (isAbort) => {
      // First the own rejection, so that the work's reaction to its signal comes second.
      reject(interruption(isAbort));
      controller.abort();
    };
  });
  const onAbort = () => interrupt(true);
  signal?.addEventListener("abort", onAbort);
  const stopTimer = setTimer(() => interrupt(false), ms);
  try {
    return await Promise.race([work(controller.signal), interrupted]);
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", onAbort);
  }
}

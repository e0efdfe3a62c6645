/**
 * The clock, the timers and the random numbers that a client uses, so that a test can replace them and
 * never wait; and work within a time limit.
 */

/** Time and random numbers, as a client uses them. */
export interface Runtime {
  /** Milliseconds since 1970, never running backwards. */
  now(): number;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
  /** Waits; rejects with the signal's reason as soon as it aborts, and leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after that many milliseconds; the returned function cancels it. */
  setTimer(callback: () => void, ms: number): () => void;
}

/** The longest delay that `setTimeout` takes; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The real clock, timers and randomness of whatever runs the code. */
export function systemRuntime(): Runtime {
  return {
    // Unlike Date.now, this does not jump when the computer's clock is set.
    now: () => performance.timeOrigin + performance.now(),
    random: Math.random,
    sleep: (ms, signal) => sleepBy(setTimer, ms, signal),
    setTimer,
  };
}

function setTimer(callback: () => void, ms: number): () => void {
  let handle: ReturnType<typeof setTimeout>;
  const arm = (left: number) => {
    const part = Math.min(left, LONGEST_DELAY_MS);
    handle = setTimeout(() => left > part ? arm(left - part) : callback(), part);
  };
  arm(ms);
  return () => clearTimeout(handle);
}

/** Waits by a timer as {@linkcode Runtime} describes it. */
export function sleepBy(
  setTimer: Runtime["setTimer"],
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = setTimer(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort);
  });
}

/**
 * Does work, and throws as soon as the time is over or the signal aborts. Then it also aborts the
 * work's own signal, but does not wait for the work. Leaves no timer and no listener behind.
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
      // Reject first, so that this error wins over the work's reaction to its signal.
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

/** The clock, timers and random numbers of a client, which a test can replace so as not to wait. */
export interface Runtime {
  /** Milliseconds since 1970, never running backwards. */
  now(): number;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
  /** Waits; rejects with the signal's reason as soon as it aborts, and leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms` milliseconds; the returned function cancels that. */
  setTimer(callback: () => void, ms: number): () => void;
}

/** The longest delay of `setTimeout`; with a longer one it fires at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The real clock, timers and random numbers. */
export function systemRuntime(): Runtime {
  return {
    // Unlike Date.now, this does not jump when the computer's clock is set.
    now: () => performance.timeOrigin + performance.now(),
    random: Math.random,
    sleep: (ms, signal) => sleepWith(setTimer, ms, signal),
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

/** Waits as `sleep` of {@linkcode Runtime} does, with a given timer. */
export function sleepWith(
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
 * Runs work with a time limit. As soon as the time is over or the signal aborts, it throws and aborts
 * the work's own signal, but does not wait for the work. Leaves no timer or listener behind.
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

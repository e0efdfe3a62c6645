/** Shares one call between requests that need it at the same time. */
import { abortable } from "@std/async/abortable";

interface SharedCall<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** Callers with the same key share a call, which is aborted when nobody waits for it any more. */
export function createSharedCalls() {
  const inProgress = new Map<string, SharedCall<unknown>>();

  function start<T>(key: string, call: (signal: AbortSignal) => PromiseLike<T>): SharedCall<T> {
    const abort = new AbortController();
    const result = (async () => await call(abort.signal))().finally(() => {
      if (inProgress.get(key) === started) inProgress.delete(key);
    });
    const started: SharedCall<T> = { result, abort, waiting: 0 };
    inProgress.set(key, started);
    return started;
  }

  return async function share<T>(
    key: string,
    signal: AbortSignal | undefined,
    call: (signal: AbortSignal) => PromiseLike<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const shared = inProgress.get(key) as SharedCall<T> | undefined ?? start(key, call);
    shared.waiting++;
    try {
      return signal ? await abortable(shared.result, signal) : await shared.result;
    } finally {
      if (--shared.waiting === 0 && inProgress.get(key) === shared) {
        // Later callers start a new call.
        inProgress.delete(key);
        shared.abort.abort(signal?.reason);
      }
    }
  };
}

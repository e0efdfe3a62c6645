/** Checks whether the backend can be reached, at most once in a few seconds. */
import { abortable } from "@std/async/abortable";
import type { Log } from "../log/log.ts";
import { failureReason } from "../log/log_problem.ts";

/** `reach` rejects if the backend can't be reached. Callers share checks; only changes are logged. */
export function createReadiness(
  reach: (signal: AbortSignal) => Promise<unknown>,
  { log, cachedMs = 5000, timeoutMs = 2000, now = () => performance.now() }: {
    readonly log: Log;
    readonly cachedMs?: number;
    readonly timeoutMs?: number;
    readonly now?: () => number;
  },
) {
  let last: { readonly at: number; readonly result: Promise<boolean> } | undefined;
  let wasReady = true;
  let hasEnded = false;

  async function check(): Promise<boolean> {
    const timeout = AbortSignal.timeout(timeoutMs);
    let isReady = true;
    try {
      await abortable(reach(timeout), timeout);
      if (!wasReady) log.info("The backend can be reached again");
    } catch (error) {
      isReady = false;
      const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : failureReason(error);
      if (wasReady) log.warn("The backend cannot be reached", { reason });
    }
    wasReady = isReady;
    return isReady;
  }

  return {
    async isReady(): Promise<boolean> {
      if (!last || now() - last.at >= cachedMs) last = { at: now(), result: check() };
      return await last.result && !hasEnded;
    },
    /** Reports "not ready" from now on, because the program is ending. */
    end: (): void => void (hasEnded = true),
  };
}

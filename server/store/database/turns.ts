import { systemRuntime, within } from "../../../lib/client/transport/runtime.ts";

/** Runs one work after the other; what waits longer than `ms` throws what `late` returns. */
export function createTurns(ms: number, late: () => Error) {
  let last: Promise<void> = Promise.resolve();
  let count = 0;
  return {
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      const previous = last;
      const turn = Promise.withResolvers<void>();
      last = previous.then(() => turn.promise);
      count++;
      try {
        if (count > 1) await within(() => previous, ms, systemRuntime().setTimer, undefined, late);
        return await work();
      } finally {
        count--;
        turn.resolve();
      }
    },
    /** Whether some work runs or waits. */
    isBusy: (): boolean => count > 0,
  };
}

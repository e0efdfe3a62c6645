/** Loads the schedules of a watch list: some at once, each for itself. */
import type { Backend } from "../../lib/backend.ts";
import { TimeoutError } from "../../lib/errors.ts";
import { type Runtime, systemRuntime } from "../../lib/runtime.ts";
import { mapBounded } from "./bounded.ts";
import { type LoadedRuns, loadRuns } from "./run_loader.ts";

/** How a watch list is loaded: its last runs alone, and all within a time that one waits for. */
export const WATCH = { runs: 250, atOnce: 6, eachMs: 4000, allMs: 12_000 } as const;

/** A watched schedule: its runs, or why they could not be loaded. */
export type Watched =
  | { readonly scheduleId: number; readonly loaded: LoadedRuns }
  | { readonly scheduleId: number; readonly error: unknown };

/** Loads watched schedules; one that fails doesn't stop the others. */
export async function loadWatched(
  backend: Backend,
  scheduleIds: readonly number[],
  { signal, allMs = WATCH.allMs, runtime = systemRuntime() }: {
    readonly signal?: AbortSignal;
    /** The most time for all, in milliseconds. */
    readonly allMs?: number;
    /** The clock that the time is counted by. Default: the real one. */
    readonly runtime?: Runtime;
  } = {},
): Promise<Watched[]> {
  const end = runtime.now() + allMs;
  return await mapBounded(scheduleIds, WATCH.atOnce, async (scheduleId) => {
    try {
      const ms = Math.min(WATCH.eachMs, end - runtime.now());
      if (ms <= 0) throw new TimeoutError("deadline", allMs, "The schedules before took too long");
      return {
        scheduleId,
        loaded: await loadRuns(backend, scheduleId, { runs: WATCH.runs, ms, signal, runtime }),
      };
    } catch (error) {
      signal?.throwIfAborted();
      return { scheduleId, error };
    }
  });
}

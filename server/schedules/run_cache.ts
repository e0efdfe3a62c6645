/** Loaded runs of Docket's own store. */
import { LRUCache } from "lru-cache";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";

/** The most runs and recipients that are cached. */
const MAX_SIZE = 200_000;

/** Loaded runs by schedule, number of runs and version of the data. */
export type RunCache = LRUCache<string, LoadedRuns>;

export function createRunCache(maxSize = MAX_SIZE): RunCache {
  return new LRUCache({ maxSize, sizeCalculation: sizeOf });
}

function sizeOf({ runs }: LoadedRuns): number {
  return runs.reduce((sum, { recipients }) => sum + 1 + (recipients?.length ?? 0), 1);
}
